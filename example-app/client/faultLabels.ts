/** How the panel names a scenario: what happens in plain words, and what travels on the wire. */
export interface FaultLabel {
  readonly title: string;
  readonly wire: string;
}

/** In the order of the list. The keys are the names of the scenarios of `helix-chat/testing`. */
export const faultLabels: Readonly<Record<string, FaultLabel>> = {
  busy: { title: 'A reply is already running', wire: '409, 6 s' },
  'rate-limited': { title: 'AI service at its limit', wire: '503, Retry-After 2' },
  'rate-limited-429': { title: 'Too many requests', wire: '429, Retry-After 2' },
  'overloaded-twice': { title: 'AI service too busy, twice', wire: '503, 503' },
  auth: { title: 'AI service refuses the app', wire: 'error event, not retryable' },
  'signed-out': { title: 'Signed out', wire: '401, untyped' },
  unclassified: { title: 'Failure without a code', wire: 'error event' },
  'unknown-code': { title: 'Failure with an unknown code', wire: 'error event' },
  superseded: { title: 'Model attempt replaced', wire: 'after 5 words' },
  cut: { title: 'Cut the reply', wire: 'after 5 words' },
  silent: { title: 'Go silent', wire: 'after 5 words' },
  'lost-response': { title: 'Lose the answer', wire: 'taken, then closed' },
  unavailable: { title: 'Not available just now', wire: '503 before commit' },
  'key-conflict': { title: 'Request key already in use', wire: '409' },
  'already-completed': { title: 'Already answered', wire: '409 after the answer' },
  'html-502': { title: 'Gateway error page', wire: '502, HTML' },
  'login-200': { title: 'Sign-in page instead of a reply', wire: '200, HTML' },
  empty: { title: 'Empty reply', wire: 'finish without content' },
  'broken-frame': { title: 'Broken frame in the stream', wire: 'not JSON' },
  'snapshot-unstable': { title: 'Cut, and an unstable snapshot', wire: '204, then 503, 503' },
  'snapshot-corrupt': { title: 'Cut, and a corrupt snapshot', wire: '204, then 409' },
};
