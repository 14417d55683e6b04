import ts from 'typescript';
import { nodesOf, roomOf, type Source } from './sources.ts';

// What only `world.ts` may name: clocks, timers, chance, network status, page life cycle, storage, locks, the clipboard.
const GLOBALS: ReadonlySet<string> = new Set([
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval'],
  ...['requestAnimationFrame', 'cancelAnimationFrame', 'requestIdleCallback'],
  ...['performance', 'navigator', 'localStorage', 'sessionStorage', 'indexedDB', 'crypto'],
]);
const MEMBERS: ReadonlySet<string> = new Set([
  ...['Date.now', 'Math.random', 'AbortSignal.timeout', 'document.visibilityState'],
  ...['document.hidden', 'document.cookie'],
]);
const PAGE_EVENTS: ReadonlySet<string> = new Set([
  ...['online', 'offline', 'visibilitychange', 'pageshow', 'pagehide', 'freeze', 'resume'],
  ...['beforeunload', 'unload', 'storage'],
]);
const PAGE: ReadonlySet<string> = new Set(['document', 'window', 'location', 'history']);
const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(['globalThis', 'window', 'self', 'global']);
const ROOMS_WITH_A_PAGE: ReadonlySet<string> = new Set(['react', 'ui']);

/** What a source names that only `world.ts` may, or of the page where no page is, one line each. */
export function outsideNames(source: Source): readonly string[] {
  if (source.path === 'world.ts') return [];
  const withPage = ROOMS_WITH_A_PAGE.has(roomOf(source.path));
  const own = declaredNames(source.tree);
  const found: string[] = [];
  for (const node of nodesOf(source.tree)) {
    const name = named(node, own, withPage);
    if (name === undefined) continue;
    const { line } = source.tree.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${source.path}:${line + 1} names ${name}`);
  }
  return found;
}

function named(node: ts.Node, own: ReadonlySet<string>, withPage: boolean): string | undefined {
  if (ts.isIdentifier(node) && isReference(node)) {
    const { text } = node;
    if (GLOBALS.has(text) && !own.has(text)) return text;
    if (!withPage && PAGE.has(text) && !own.has(text)) return text;
  }
  const member = membersOf(node).find(
    (taken) =>
      MEMBERS.has(taken.join('.')) || (GLOBAL_OBJECTS.has(taken[0]) && GLOBALS.has(taken[1])),
  );
  if (member !== undefined) return member.join('.');
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) {
    return 'new Date()';
  }
  return pageEventOf(node);
}

/** What a node takes of a named object: `a.b`, `a['b']`, or `const { b } = a`. */
function membersOf(node: ts.Node): readonly (readonly [object: string, member: string])[] {
  if (ts.isPropertyAccessExpression(node)) return [[node.expression.getText(), node.name.text]];
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return [[node.expression.getText(), node.argumentExpression.text]];
  }
  if (
    ts.isVariableDeclaration(node) &&
    ts.isObjectBindingPattern(node.name) &&
    node.initializer !== undefined
  ) {
    const object = node.initializer.getText();
    return node.name.elements.map(({ name, propertyName }) => [
      object,
      (propertyName ?? name).getText(),
    ]);
  }
  return [];
}

/** Whether an identifier stands for a value of that name, and not for a field, a parameter or a type member. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent) || ts.isBindingElement(parent)) {
    return 'initializer' in parent && parent.initializer === node;
  }
  return (
    ts.isExpression(node) &&
    !ts.isPropertySignature(parent) &&
    !ts.isMethodSignature(parent) &&
    !ts.isMethodDeclaration(parent) &&
    !ts.isPropertyDeclaration(parent) &&
    !ts.isJsxAttribute(parent)
  );
}

/** Names that a file declares itself: they hide the global one. */
function declaredNames(tree: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodesOf(tree)) {
    if (
      (ts.isVariableDeclaration(node) ||
        ts.isParameter(node) ||
        ts.isBindingElement(node) ||
        ts.isFunctionDeclaration(node) ||
        ts.isImportSpecifier(node)) &&
      node.name !== undefined &&
      ts.isIdentifier(node.name)
    ) {
      names.add(node.name.text);
    }
  }
  return names;
}

function pageEventOf(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined;
  if (node.expression.name.text !== 'addEventListener') return undefined;
  const [event] = node.arguments;
  return event !== undefined && ts.isStringLiteralLike(event) && PAGE_EVENTS.has(event.text)
    ? `the page event ${event.text}`
    : undefined;
}
