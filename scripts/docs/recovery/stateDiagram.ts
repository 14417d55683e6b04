import type { RecoveryStateName } from '../../../src/recovery/state.ts';
import type { Doer, Edge } from './exploreTransition.ts';
import { allEdges } from './recoveryPage.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  /** What a person sees. */
  readonly sees: string;
}

const WIDTH = 180;
const HEIGHT = 64;

const BOXES: Record<RecoveryStateName, Box> = {
  idle: { x: 40, y: 90, sees: 'the composer is ready' },
  sending: { x: 500, y: 90, sees: 'the message is on its way' },
  streaming: { x: 1020, y: 90, sees: 'the reply appears' },
  'waiting-on-run': { x: 200, y: 330, sees: 'another reply appears first' },
  'backing-off': { x: 700, y: 330, sees: 'when the next try comes' },
  resyncing: { x: 1020, y: 330, sees: 'what is there stays there' },
  failed: { x: 500, y: 590, sees: 'what happened, what helps' },
};

interface Arrow {
  readonly from: RecoveryStateName;
  readonly to: RecoveryStateName;
  readonly by: Doer;
  /** Words in the picture, one string a line. */
  readonly label: readonly string[];
  /** Facts of the exploration that this arrow stands for: each must have been found. */
  readonly facts: readonly string[];
  /** An SVG path, and where its words stand. */
  readonly path: string;
  readonly at: readonly [x: number, y: number];
  readonly anchor?: 'start' | 'middle' | 'end';
}

const ARROWS: readonly Arrow[] = [
  {
    from: 'idle',
    to: 'sending',
    by: 'person',
    label: ['send, regenerate, edit'],
    facts: ['send', 'regenerate', 'edit'],
    path: 'M220 122 H496',
    at: [358, 112],
  },
  {
    from: 'sending',
    to: 'streaming',
    by: 'network',
    label: ['a reply begins'],
    facts: ['a reply begins'],
    path: 'M680 122 H1016',
    at: [848, 112],
  },
  {
    from: 'streaming',
    to: 'idle',
    by: 'network',
    label: ['the reply is complete'],
    facts: ['the reply is complete'],
    path: 'M1110 90 C1110 18 130 18 130 86',
    at: [600, 28],
  },
  {
    from: 'sending',
    to: 'waiting-on-run',
    by: 'network',
    label: ['409: another reply', 'is being written'],
    facts: ['409: another reply is being written'],
    path: 'M520 154 C500 240 320 240 300 326',
    at: [350, 212],
    anchor: 'end',
  },
  {
    from: 'waiting-on-run',
    to: 'sending',
    by: 'network',
    label: ['it has ended'],
    facts: ['the conversation: ended'],
    path: 'M360 330 C380 280 536 280 542 158',
    at: [470, 302],
  },
  {
    from: 'sending',
    to: 'backing-off',
    by: 'network',
    label: ['429, 503,', 'no response'],
    facts: ['429', '503', 'no response'],
    path: 'M634 154 C650 250 730 250 744 326',
    at: [712, 284],
    anchor: 'end',
  },
  {
    from: 'backing-off',
    to: 'sending',
    by: 'clock',
    label: ['the wait is over'],
    facts: ['the wait is over'],
    path: 'M820 330 C804 240 684 240 664 158',
    at: [772, 216],
    anchor: 'start',
  },
  {
    from: 'streaming',
    to: 'resyncing',
    by: 'network',
    label: ['cut for good,', 'superseded'],
    facts: ['the attempt is superseded'],
    path: 'M1140 154 V326',
    at: [1150, 232],
    anchor: 'start',
  },
  {
    from: 'resyncing',
    to: 'streaming',
    by: 'network',
    label: ['the live reply', 'is joined'],
    facts: ['the live reply is joined'],
    path: 'M1100 330 V158',
    at: [1092, 232],
    anchor: 'end',
  },
  {
    from: 'streaming',
    to: 'backing-off',
    by: 'network',
    label: ['cut'],
    facts: ['the stream is cut'],
    path: 'M1036 154 C1020 240 880 240 860 326',
    at: [968, 268],
    anchor: 'start',
  },
  {
    from: 'backing-off',
    to: 'resyncing',
    by: 'clock',
    label: ['read again'],
    facts: ['the wait is over'],
    path: 'M880 350 H1016',
    at: [948, 342],
  },
  {
    from: 'resyncing',
    to: 'backing-off',
    by: 'network',
    label: ['not reached'],
    facts: ['the conversation cannot be reached'],
    path: 'M1020 376 H884',
    at: [950, 395],
  },
  {
    from: 'resyncing',
    to: 'idle',
    by: 'network',
    label: ['the conversation has ended: the screen is made equal to it'],
    facts: ['the conversation: ended'],
    path: 'M1140 394 V660 Q1140 690 1110 690 H110 Q80 690 80 660 V158',
    at: [560, 682],
  },
  {
    from: 'resyncing',
    to: 'failed',
    by: 'network',
    label: ['the run has failed'],
    facts: ['the conversation: failed'],
    path: 'M1096 394 V600 Q1096 622 1074 622 H684',
    at: [890, 614],
  },
  {
    from: 'sending',
    to: 'failed',
    by: 'network',
    label: ['not accepted,', 'or tries spent'],
    facts: ['another 4xx', 'no response'],
    path: 'M614 154 V586',
    at: [622, 536],
    anchor: 'start',
  },
  {
    from: 'failed',
    to: 'sending',
    by: 'person',
    label: ['send again,', 'new reply'],
    facts: ['send again', 'regenerate'],
    path: 'M566 590 V158',
    at: [558, 536],
    anchor: 'end',
  },
  {
    from: 'failed',
    to: 'idle',
    by: 'person',
    label: ['dismiss, take back'],
    facts: ['dismiss', 'take back'],
    path: 'M500 622 H150 Q120 622 120 592 V158',
    at: [320, 614],
  },
  {
    from: 'idle',
    to: 'resyncing',
    by: 'person',
    label: ['open the chat'],
    facts: ['open the chat'],
    path: 'M170 154 V440 Q170 470 200 470 H1026 Q1056 470 1056 440 V398',
    at: [820, 462],
  },
];

const INK: Record<Doer, string> = { network: 'network', person: 'person', clock: 'clock' };

/** `docs/recovery-states.svg`: the ways that matter, each of which the transition was found to go. */
export function stateDiagram(): string {
  const edges = allEdges();
  for (const arrow of ARROWS) checkFound(arrow, edges);
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1260 720" role="img" aria-labelledby="title desc">',
    '<!-- Written by `npm run docs`. -->',
    '<title id="title">The states of a chat</title>',
    `<desc id="desc">${ARROWS.map(sentence).join(' ')}</desc>`,
    STYLE,
    '<rect class="paper" width="1260" height="720" rx="16"/>',
    ...ARROWS.map(drawArrow),
    ...ARROWS.map(drawLabel),
    ...(Object.entries(BOXES) as [RecoveryStateName, Box][]).map(drawBox),
    '</svg>',
    '',
  ].join('\n');
}

function checkFound({ from, to, facts }: Arrow, edges: readonly Edge[]): void {
  for (const says of facts) {
    if (edges.some((edge) => edge.from === from && edge.to === to && edge.says === says)) continue;
    throw new Error(
      `The picture says that "${says}" leads from ${from} to ${to}, which the transition does not do. ` +
        'The picture would mislead. Change the arrow in stateDiagram.ts.',
    );
  }
}

const sentence = ({ from, to, label }: Arrow): string => `${from} to ${to}: ${label.join(' ')}.`;

const drawArrow = ({ path, by }: Arrow): string =>
  `<path class="arrow ${INK[by]}" d="${path}" marker-end="url(#${INK[by]})"/>`;

function drawLabel({ label, at, by, anchor = 'middle' }: Arrow): string {
  const [x, y] = at;
  const lines = label.map(
    (line, index) => `<tspan x="${x}" dy="${index === 0 ? 0 : 17}">${line}</tspan>`,
  );
  return `<text class="label ${INK[by]}" x="${x}" y="${y}" text-anchor="${anchor}">${lines.join('')}</text>`;
}

function drawBox([name, { x, y, sees }]: [RecoveryStateName, Box]): string {
  const middle = x + WIDTH / 2;
  return [
    `<rect class="box ${name}" x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="12"/>`,
    `<text class="name" x="${middle}" y="${y + 28}" text-anchor="middle">${name}</text>`,
    `<text class="sees" x="${middle}" y="${y + 48}" text-anchor="middle">${sees}</text>`,
  ].join('\n');
}

const head = (name: string): string =>
  `<marker id="${name}" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="head ${name}" d="M0 0 L10 5 L0 10 z"/></marker>`;

const STYLE = `<style>
  .paper { fill: #ffffff; }
  text { font-family: ui-sans-serif, system-ui, sans-serif; fill: #1c2330; }
  .name { font-size: 16px; font-weight: 650; }
  .sees { font-size: 12px; fill: #596273; }
  .box { fill: #f3f5f9; stroke: #b9c1cf; stroke-width: 1.5; }
  .box.idle { fill: #ecf8f0; stroke: #7fbf95; }
  .box.failed { fill: #fdf0ee; stroke: #dd9a8f; }
  .arrow { fill: none; stroke-width: 1.75; }
  .arrow.network { stroke: #4a5262; } .arrow.person { stroke: #2563c9; } .arrow.clock { stroke: #1d7f4e; }
  .head.network { fill: #4a5262; } .head.person { fill: #2563c9; } .head.clock { fill: #1d7f4e; }
  .label { font-size: 13px; paint-order: stroke; stroke: #ffffff; stroke-width: 5px; stroke-linejoin: round; }
  .label.person { fill: #1d4fa3; } .label.clock { fill: #14613a; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #12161d; } text { fill: #e8ecf3; } .sees { fill: #a2adbd; }
    .box { fill: #1d232d; stroke: #495364; }
    .box.idle { fill: #16291e; stroke: #3f7a56; } .box.failed { fill: #311c1a; stroke: #8f4a41; }
    .arrow.network { stroke: #a2adbd; } .arrow.person { stroke: #7fb0ff; } .arrow.clock { stroke: #6fcf9a; }
    .head.network { fill: #a2adbd; } .head.person { fill: #7fb0ff; } .head.clock { fill: #6fcf9a; }
    .label { stroke: #12161d; } .label.person { fill: #a9caff; } .label.clock { fill: #97e0b8; }
  }
</style>
<defs>${head('network')}${head('person')}${head('clock')}</defs>`;
