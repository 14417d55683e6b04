import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The packages that hold each pair of the AI SDK: the newest tried, and the oldest that the peer ranges allow. */
const sdkReact = {
  newest: { 6: '@ai-sdk/react', 7: 'ai-sdk-react-v4' },
  floor: { 6: 'ai-sdk-react-v3-floor', 7: 'ai-sdk-react-v4-floor' },
};

/**
 * A Vite plugin: the same test files run on one major of `ai` with its `@ai-sdk/react`, at its newest or at the floor,
 * and on one major of React, with exactly one copy of each.
 */
export function pinAi(major, { react = '19', sdk = 'newest' } = {}) {
  const packageName = sdkReact[sdk][major];
  return {
    name: `pin-ai-${major}-${sdk}-react-${react}`,
    enforce: 'pre',
    resolveId(id, _importer, options) {
      const from = (target, folder) =>
        this.resolve(target, `${folder}package.json`, { ...options, skipSelf: true });
      if (id === '@ai-sdk/react') return from(packageName, root);
      if (id === 'ai')
        return from(
          'ai',
          packageName === '@ai-sdk/react' ? root : `${root}node_modules/${packageName}/`,
        );
      if (/^(react|react-dom)($|\/)/.test(id)) {
        return from(id, react === '18' ? `${root}compat/react18/` : root);
      }
      if (id === '@testing-library/react') {
        return from('@testing-library/react/dist/@testing-library/react.esm.js', root);
      }
      return null;
    },
  };
}
