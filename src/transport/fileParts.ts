import { convertFileListToFileUIParts, type FileUIPart } from 'ai';

/** The files of a send as message parts. A `FileList` is read (data URLs); parts pass through at once. */
export function toFileParts(
  files: FileList | readonly FileUIPart[] | undefined,
): readonly FileUIPart[] | Promise<readonly FileUIPart[]> {
  if (files === undefined || Array.isArray(files)) return files ?? [];
  return convertFileListToFileUIParts(files as FileList);
}
