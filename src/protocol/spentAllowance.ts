// Words as backends and providers write them, in lower case and without what separates their parts.
const ALLOWANCE = 'quota|credits?|creditbalance|balance|funds?|allowance';
const SPENT = 'exceeded|exhausted|reached|depleted|usedup|spent|empty|toolow';
const KIND = '(?:error|exception)?';

const SPELLINGS: readonly RegExp[] = [
  new RegExp(
    `^(?:insufficient|outof|no|notenough|exceeded|exhausted|low)(?:your)?(?:current|account)?(?:${ALLOWANCE})${KIND}$`,
  ),
  // Of a quota of its service AWS says that the request is to be sent again later.
  new RegExp(`^(?!service)[a-z]{0,30}(?:${ALLOWANCE})(?:has|is)?(?:been)?(?:${SPENT})${KIND}$`),
  /^(?:usage|spend|billing|plan|budget|monthly|monthlyusage)(?:hard|soft)?limit(?:has)?(?:been)?(?:exceeded|exhausted|reached)(?:error|exception)?$/,
  /^(?:spending|billinghard|credit)(?:limit|cap)(?:exceeded|exhausted|reached)?(?:error|exception)?$/,
  /^(?:billingerror|billingnotactive|budgetexceeded|paymentrequired(?:error|exception)?)$/,
];

/** Whether a word names a used-up allowance, in whatever spelling: a code, a type, the last part of a problem's URI. */
export function isSpentAllowance(word: unknown): word is string {
  if (typeof word !== 'string' || word.length > 200 || /\s/.test(word)) return false;
  const last = word.split(/[/#:.]/).at(-1) ?? '';
  const plain = last.replace(/[-_]/g, '').toLowerCase();
  return plain.length <= 60 && SPELLINGS.some((spelling) => spelling.test(plain));
}
