import type { RecoveryReport } from 'helix-chat';
import type { LogLine, Tone } from './recoveryLog.ts';

const titles: Record<RecoveryReport['type'], [title: string, tone: Tone]> = {
  sent: ['Message sent', 'quiet'],
  'request-refused': ['Refused', 'warning'],
  'backing-off': ['Waiting before the next try', 'warning'],
  held: ['Message held', 'quiet'],
  'reply-started': ['Reply arriving', 'recovered'],
  cut: ['Reply cut', 'warning'],
  spliced: ['Joined where the reply broke off', 'notice'],
  're-anchored': ['Shown anew from the server', 'notice'],
  'conversation-read': ['Conversation read', 'quiet'],
  attached: ['Joined the running reply', 'notice'],
  'taken-back': ['Message taken back', 'quiet'],
  stopped: ['Stopped', 'quiet'],
  recovered: ['Recovered', 'recovered'],
  failed: ['Failed', 'blocking'],
};

/** A report of recovery as a line of the log: codes and figures, never a text that a server wrote. */
export function describeReport(report: RecoveryReport): Pick<LogLine, 'title' | 'detail' | 'tone'> {
  const [title, tone] = titles[report.type];
  const facts = [
    report.status,
    report.code,
    report.reason,
    report.phase && `phase ${report.phase}`,
    report.attempt !== undefined && `try ${report.attempt}`,
    report.ms !== undefined && `${(report.ms / 1000).toFixed(1)} s`,
  ];
  return { title, tone, detail: facts.filter(Boolean).join(', ') || undefined };
}
