import { attachedMark } from './readFiles.ts';

/** What the embedded model is asked. */
export interface Question {
  readonly question: string;
  /** Files as `readFiles` writes them: the name in the first line, then the text. */
  readonly attached: readonly string[];
  /** Which message of the person's this is, from 1. */
  readonly turn: number;
  /** How often the very same was asked before. */
  readonly times: number;
}

const openings = [
  (topic: string) => `You asked about ${topic}. Three things come to mind:`,
  (topic: string) => `Let us take ${topic} step by step:`,
  (topic: string) => `On ${topic}, here is a short answer in three parts:`,
];

const lists = [
  [
    'The goal: say in one sentence what should be different afterwards.',
    'The smallest step: choose one that shows something within a day.',
    'The check: decide beforehand how you will know that it worked.',
  ],
  [
    'What is known: write down the facts first, each with its source.',
    'What is missing: name the one answer that would change your mind.',
    'Who can tell: ask one person who has done it before.',
  ],
  [
    'Keep: the part that already works, and leave it alone.',
    'Drop: the part that nobody would miss for a week.',
    'Try: one change at a time, so that its effect can be seen.',
  ],
];

const closings = [
  'Tell me which of the three matters most, and I will go into it.',
  'That is the outline; ask for any point and I will say more.',
  'If one of these does not fit, say so and I will take another road.',
];

/** A stable figure for a text, so that one question always gets one answer. */
function figureOf(text: string): number {
  let figure = 7;
  for (const sign of text) figure = (figure * 31 + (sign.codePointAt(0) ?? 0)) % 65_521;
  return figure;
}

const pick = <T>(list: readonly T[], index: number, last: T): T =>
  list[index % list.length] ?? last;

function topicOf(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim();
  if (line === '') return 'your file';
  return `“${line.length > 90 ? `${line.slice(0, 87)}…` : line}”`;
}

function remarkOnFile(text: string): string {
  const [head = '', ...lines] = text.split('\n');
  const name = head.slice(attachedMark.length);
  const filled = lines.filter((line) => line.trim() !== '');
  const count = filled.length === 1 ? '1 line' : `${filled.length} lines`;
  const first = filled[0]?.trim().slice(0, 60);
  return first ? `I read ${name}: ${count}, the first being “${first}”.` : `I have ${name}.`;
}

/** The answer of the embedded model: whole sentences, a numbered list, no markup. */
export function writeAnswer({ question, attached, turn, times }: Question): string {
  const figure = figureOf(question) + times;
  const list = pick(lists, figure, []);
  const open = pick(openings, figure + turn, (topic: string) => topic);
  return [
    ...attached.map(remarkOnFile),
    open(topicOf(question)),
    ...list.map((item, index) => `${index + 1}. ${item}`),
    pick(closings, figure + turn, ''),
  ].join('\n');
}
