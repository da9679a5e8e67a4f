/** What was examined, for a person: a mark and a line for each finding, and what to do about it below. */
import { type Examination, type Finding, visibleLine } from '../../engine/index.ts';
import type { Ink } from '../terminal.ts';
import { counted } from '../text/figures.ts';
import { indent, inset, type Page } from '../text/page.ts';
import { displayPath, placeName } from '../text/places.ts';
import { truncate, width, wrap } from '../text/width.ts';

const MARKS: Readonly<Record<Finding['level'], (ink: Ink) => string>> = {
  ok: (ink) => ink.green('✓'),
  note: (ink) => ink.dim('–'),
  warning: (ink) => ink.yellow('!'),
  error: (ink) => ink.red('✗'),
};

export function examinationLines({ title, server, findings }: Examination, cwd: string, page: Page): string[] {
  const { bold, dim } = page.ink;
  const name = truncate(visibleLine(title), page.columns);
  if (server === undefined) return [bold(name), ...findings.flatMap((finding) => findingLines(finding, cwd, page))];
  const { origin, range, target } = server;
  const place = range === undefined ? displayPath(origin.file, cwd) : placeName(range, cwd);
  const fits = width(name) + 2 + width(place) <= page.columns;
  return [
    ...(fits ? [`${bold(name)}  ${dim(place)}`] : [bold(name), `  ${dim(place)}`]),
    `  ${dim(truncate(visibleLine(target), page.columns - 2))}`,
    ...findings.flatMap((finding) => findingLines(finding, cwd, page)),
  ];
}

function findingLines({ level, file, text, remedy, code, range }: Finding, cwd: string, page: Page): string[] {
  const { dim } = page.ink;
  const inner = inset(page, 4);
  const place = range !== undefined ? placeName(range, cwd) : file === undefined ? '' : displayPath(file, cwd);
  const said = [place, code ?? '', visibleLine(text)].filter((part) => part !== '').join('  ');
  const lines = wrap(said, inner.columns);
  return [
    ...lines.map((line, index) => `${index === 0 ? `  ${MARKS[level](page.ink)} ` : '    '}${line}`),
    ...(remedy === undefined ? [] : indent(wrap(visibleLine(remedy), inner.columns), 4).map(dim)),
  ];
}

/** `1 problem, 2 warnings`, or that all is well. */
export function verdictLine(examinations: readonly Examination[], { ink }: Page): string {
  const findings = examinations.flatMap((examination) => examination.findings);
  const count = (level: Finding['level']): number => findings.filter((finding) => finding.level === level).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (errors + warnings === 0) return ink.green('All is well.');
  const parts = [
    ...(errors === 0 ? [] : [ink.red(counted(errors, 'problem'))]),
    ...(warnings === 0 ? [] : [ink.yellow(counted(warnings, 'warning'))]),
  ];
  return parts.join(', ');
}
