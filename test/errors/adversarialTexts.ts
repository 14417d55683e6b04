/**
 * The beginning of every pattern of `redact`, and of none: a text of one of them over and over takes for ever where a
 * pattern scans what it has scanned before.
 */
export const ADVERSARIAL_UNITS: readonly string[] = [
  '?key',
  '?key=',
  'eyJ',
  'eyJaa.',
  'sk-',
  'sk-a1',
  '-----BEGIN ',
  '-----END ',
  'cookie:',
  'cookie',
  'authorization=',
  'authorization: "',
  '"',
  '\\"',
  '\\',
  'bearer ',
  'a://',
  'a://a:',
  'x-api-key:"\\',
  'api-key: ',
  '&a',
  '.',
  ' ',
  'digest ',
  'key=',
  'sk-a ',
  'xoxb-',
  'eyJ0.eyJ0.',
  'eyJ'.padEnd(70, 'a'),
  '?'.padEnd(66, 'a'),
  '&'.padEnd(65, 'key'),
  'https://a.b.c.d',
  'a.b+c-',
  `https://${'a'.repeat(256)}:`,
  'token=a&',
  'set-cookie: "a\\\\',
  'authorization: digest',
  'authorization: bearer\t',
  'proxy-authorization:\t\t\t\t\t\t\t\t\t',
  '-----BEGIN -----END ',
  'Cookie: a=b\n',
  'x-api-key: sk-ant-eyJ?key=:',
  'basic ',
  "api_key='a",
];

/** A text of about that length made of one unit. */
export const repeated = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length));
