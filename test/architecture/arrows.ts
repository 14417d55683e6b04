import { type Import, importsOf, roomOf, type Source } from './sources.ts';

interface Room {
  /** Rooms that it may import; `: types` after a name means types only. */
  readonly rooms: readonly string[];
  /** Outside packages, by their full specifier. */
  readonly packages: readonly string[];
}

const both = ['errors', 'protocol'] as const;

/** Who may import whom. Not in the list: not allowed. Any room may import `world.ts`. */
export const ARROWS: Readonly<Record<string, Room>> = {
  'world.ts': { rooms: [], packages: [] },
  'index.ts': { rooms: [...both, 'i18n', 'recovery: types'], packages: [] },
  protocol: { rooms: [], packages: ['zod/v4/mini'] },
  errors: { rooms: ['protocol'], packages: [] },
  adapters: { rooms: both, packages: [] },
  server: { rooms: both, packages: [] },
  transport: { rooms: both, packages: ['ai'] },
  recovery: { rooms: ['transport: types', ...both], packages: [] },
  i18n: { rooms: both, packages: [] },
  react: {
    rooms: ['recovery', 'transport', ...both],
    packages: ['react', 'react/jsx-runtime', '@ai-sdk/react', 'ai: types'],
  },
  ui: {
    rooms: ['i18n', ...both, 'recovery: types'],
    packages: ['react', 'react/jsx-runtime', 'react-error-boundary', 'react-stately/useToastState'],
  },
  testing: { rooms: ['server', ...both, 'recovery: types'], packages: [] },
};

/** What is wrong with the imports of a source, one line each. */
export function brokenArrows(source: Source): readonly string[] {
  const from = roomOf(source.path);
  const room = ARROWS[from];
  if (room === undefined) return [`${source.path}: no room is called ${from}`];
  return importsOf(source).flatMap((found) => {
    const why = reasonAgainst(found, from, room);
    return why === undefined ? [] : [`${source.path} imports ${found.specifier}: ${why}`];
  });
}

function reasonAgainst(found: Import, from: string, room: Room): string | undefined {
  const { specifier, target, typeOnly } = found;
  if (target === undefined) {
    return allows(room.packages, specifier, typeOnly) ? undefined : `${from} may not`;
  }
  if (target.startsWith('../')) return 'it is outside of src';
  if (!/\.(?:tsx?|css|json)$/.test(specifier)) return 'the extension is missing';
  if (/(?:^|\/)index\.tsx?$/.test(target)) return 'an entry point is for users';
  const to = roomOf(target);
  if (to === from || to === 'world.ts') return undefined;
  return allows(room.rooms, to, typeOnly) ? undefined : `${from} may not`;
}

const allows = (list: readonly string[], name: string, typeOnly: boolean): boolean =>
  list.includes(name) || (typeOnly && list.includes(`${name}: types`));

/** The first ring of imports among sources, as the paths along it; undefined where there is none. */
export function findRing(sources: readonly Source[]): readonly string[] | undefined {
  const targets = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source).flatMap(({ target }) => (target === undefined ? [] : [target])),
    ]),
  );
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): readonly string[] | undefined => {
    const at = trail.indexOf(path);
    if (at >= 0) return [...trail.slice(at), path];
    if (done.has(path)) return undefined;
    for (const target of targets.get(path) ?? []) {
      const ring = visit(target, [...trail, path]);
      if (ring !== undefined) return ring;
    }
    done.add(path);
    return undefined;
  };
  for (const path of targets.keys()) {
    const ring = visit(path, []);
    if (ring !== undefined) return ring;
  }
  return undefined;
}
