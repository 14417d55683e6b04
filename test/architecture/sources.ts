import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../src');

/** One file of `src`, by its path from there with forward slashes. */
export interface Source {
  readonly path: string;
  readonly tree: ts.SourceFile;
}

/** One import or re-export. `target` is a path from `src` for a file of ours, else undefined. */
export interface Import {
  readonly specifier: string;
  readonly target: string | undefined;
  readonly typeOnly: boolean;
}

/** A source out of a text. */
export function parseSource(path: string, text: string): Source {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return { path, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind) };
}

/** Every TypeScript file of `src`. */
export function allSources(): readonly Source[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => parseSource(path.split(sep).join('/'), readFileSync(join(root, path), 'utf8')))
    .sort((one, other) => one.path.localeCompare(other.path));
}

/** The room of a path: its folder, or the file itself at the root. */
export function roomOf(path: string): string {
  const end = path.indexOf('/');
  return end < 0 ? path : path.slice(0, end);
}

/** Every node of a tree. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* nodesOf(child);
}

/** Every import, re-export, `import()` and `import type` of a source. */
export function importsOf({ path, tree }: Source): readonly Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean) => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    const { text } = specifier;
    const target = text.startsWith('.') ? posix.join(posix.dirname(path), text) : undefined;
    found.push({ specifier: text, target, typeOnly });
  };
  for (const node of nodesOf(tree)) {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, isTypeExport(node));
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false);
    }
  }
  return found;
}

function isTypeImport({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause === undefined) return false;
  if (importClause.isTypeOnly) return true;
  const { name, namedBindings } = importClause;
  return (
    name === undefined &&
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.length > 0 &&
    namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly)
  );
}

function isTypeExport({ isTypeOnly, exportClause }: ts.ExportDeclaration): boolean {
  return (
    isTypeOnly ||
    (exportClause !== undefined &&
      ts.isNamedExports(exportClause) &&
      exportClause.elements.length > 0 &&
      exportClause.elements.every((element) => element.isTypeOnly))
  );
}

/** One name that a source exports. */
export interface Exported {
  readonly name: string;
  /** A type only: nothing is left of it at run time. */
  readonly typeOnly: boolean;
  /** A docstring stands at its declaration here. False for a name that is only passed on. */
  readonly documented: boolean;
  readonly passedOn: boolean;
}

/** The names that a source exports, each once, in their order. Stars are not read: no entry may have any. */
export function exportedNames({ tree }: Source): readonly Exported[] {
  const found = new Map<string, Exported>();
  const add = (name: string, facts: Omit<Exported, 'name'>) => {
    const earlier = found.get(name);
    found.set(name, {
      name,
      typeOnly: facts.typeOnly && (earlier?.typeOnly ?? true),
      documented: facts.documented || (earlier?.documented ?? false),
      passedOn: facts.passedOn,
    });
  };
  for (const statement of tree.statements) {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, isTypeOnly } = statement;
      if (exportClause === undefined || !ts.isNamedExports(exportClause)) continue;
      for (const element of exportClause.elements) {
        const typeOnly = isTypeOnly || element.isTypeOnly;
        add(element.name.text, { typeOnly, documented: false, passedOn: true });
      }
    } else if (isExported(statement)) {
      const documented = ts.getJSDocCommentsAndTags(statement).length > 0;
      const typeOnly = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
      for (const name of declaredBy(statement)) {
        add(name, { typeOnly, documented, passedOn: false });
      }
    }
  }
  return [...found.values()];
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);

function declaredBy(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? [] : [name.getText()];
}
