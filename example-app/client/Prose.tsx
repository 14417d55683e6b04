import { Fragment } from 'react';

/** A line such as `2. Slow answers: named by 14 %.`: its number, its lead words and the rest. */
function readListLine(line: string) {
  const parts = /^(\d+\.|-) (?:([^:.]{1,48}[:.])(?= |$))?(.*)$/.exec(line);
  return parts && { mark: parts[1], lead: parts[2], rest: parts[3] };
}

function Line({ line }: { line: string }) {
  const item = readListLine(line);
  if (!item) return <p>{line}</p>;
  return (
    <p className="list-line">
      <span className="list-mark">{item.mark}</span>{' '}
      <span>
        {item.lead && <strong>{item.lead}</strong>}
        {item.rest}
      </span>
    </p>
  );
}

/** A reply's text: paragraphs, and lines that begin like list items, set as such. The text itself is not changed. */
export function Prose({ text, writing }: { text: string; writing: boolean }) {
  const lines = text.split('\n').filter((line) => line !== '');
  return (
    <div className="prose" data-writing={writing || undefined}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a streamed text only grows at its end
        <Fragment key={index}>
          <Line line={line} />
        </Fragment>
      ))}
    </div>
  );
}
