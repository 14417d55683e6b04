import type { FileUIPart } from 'ai';

/** The largest file that the example takes: it travels inside the message as a data URL. */
export const fileLimit = 4_000_000;

function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** A file of the person's as the message part that carries it. */
export async function readFilePart(file: File): Promise<FileUIPart> {
  const url = await readDataUrl(file);
  const mediaType = file.type || 'application/octet-stream';
  return { type: 'file', filename: file.name, mediaType, url };
}

/** The size of a file part in words, from its data URL; empty for a file that lies elsewhere. */
export function sizeOf(part: FileUIPart): string {
  const comma = part.url.indexOf(',');
  if (!part.url.startsWith('data:') || comma < 0) return '';
  const bytes = Math.floor(((part.url.length - comma - 1) * 3) / 4);
  return bytes < 1000 ? `${bytes} B` : `${Math.round(bytes / 1000)} kB`;
}
