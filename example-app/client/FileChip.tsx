import type { FileUIPart } from 'ai';
import { sizeOf } from './fileParts.ts';
import { Icon } from './Icon.tsx';

/** One file of a message or of the draft: its name and size, and a cross where it can be removed. */
export function FileChip({ file, onRemove }: { file: FileUIPart; onRemove?: () => void }) {
  const name = file.filename ?? 'file';
  return (
    <span className="file-chip">
      <Icon name="file" />
      <span className="file-name">{name}</span>
      <span className="file-size">{sizeOf(file)}</span>
      {onRemove && (
        <button
          type="button"
          className="chip-remove"
          aria-label={`Remove ${name}`}
          onClick={onRemove}
        >
          <Icon name="close" size={14} />
        </button>
      )}
    </span>
  );
}
