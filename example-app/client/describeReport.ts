import type { RecoveryReport } from 'helix-chat';
import type { LogLine, Tone } from './recoveryLog.ts';

/** What the log says of a report; nothing where the line of its request says it already. */
const titles: Record<RecoveryReport['type'], [title: string, tone: Tone] | undefined> = {
  sent: undefined,
  'request-refused': undefined,
  'backing-off': ['Waiting before the next try', 'warning'],
  'sign-in-asked': ['Signing in anew', 'notice'],
  'move-forbidden': ['Not done by itself', 'quiet'],
  held: ['Message held', 'quiet'],
  'reply-started': ['Reply arriving', 'recovered'],
  cut: ['Reply cut', 'warning'],
  spliced: ['Joined where the reply broke off', 'notice'],
  're-anchored': ['Shown anew from the server', 'notice'],
  'conversation-read': undefined,
  attached: ['Joined the running reply', 'notice'],
  restored: ['Message restored after a reload', 'quiet'],
  'taken-elsewhere': ['Another tab has the message', 'notice'],
  'taken-back': ['Message taken back', 'quiet'],
  stopped: ['Stopped', 'quiet'],
  recovered: ['Recovered', 'recovered'],
  failed: ['Failed', 'blocking'],
};

/** A report of recovery as a line of the log: codes and figures, never a text that a server wrote. */
export function describeReport(
  report: RecoveryReport,
): Pick<LogLine, 'title' | 'detail' | 'tone'> | undefined {
  const words = titles[report.type];
  if (!words) return undefined;
  const [title, tone] = words;
  return { title, tone, detail: factsOf(report).join(', ') || undefined };
}

function factsOf(report: RecoveryReport): readonly unknown[] {
  return [
    'status' in report && report.status,
    'code' in report && report.code,
    'reason' in report && report.reason,
    'cause' in report && report.cause,
    'trigger' in report && report.trigger,
    'phase' in report && `phase ${report.phase}`,
    'attempt' in report && `try ${report.attempt}`,
    'ms' in report && `${(report.ms / 1000).toFixed(1)} s`,
  ].filter(Boolean);
}
