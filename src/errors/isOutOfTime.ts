import type { HelixError } from './HelixError.ts';

/** Whether a reply has had all the time that the app allows it: nothing more of it is asked for. */
export const isOutOfTime = (error: HelixError | undefined): boolean => error?.layer === 'total';
