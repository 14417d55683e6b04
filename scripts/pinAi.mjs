import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sdkReact = { 6: '@ai-sdk/react', 7: 'ai-sdk-react-v4' };

/**
 * A Vite plugin: the same test files run on one major of `ai` with its `@ai-sdk/react` and on one major of React, with
 * exactly one copy of each.
 */
export function pinAi(major, react = '19') {
  const packageName = sdkReact[major];
  return {
    name: `pin-ai-${major}-react-${react}`,
    enforce: 'pre',
    resolveId(id, _importer, options) {
      const from = (target, folder) =>
        this.resolve(target, `${folder}package.json`, { ...options, skipSelf: true });
      if (id === '@ai-sdk/react') return from(packageName, root);
      if (id === 'ai')
        return from('ai', major === '6' ? root : `${root}node_modules/${packageName}/`);
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
