import fc from 'fast-check';

// The first input that fails is enough to kill a mutant: what the smallest is nobody asks here.
fc.configureGlobal({ endOnFailure: true, numRuns: 20 });
