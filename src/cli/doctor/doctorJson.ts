/** What was examined, for machines. */
import type { Examination, Json } from '../../engine/index.ts';

export function doctorJson(examinations: readonly Examination[], version: string): Json {
  const findings = examinations.flatMap((examination) => examination.findings);
  const count = (level: string): number => findings.filter((finding) => finding.level === level).length;
  return {
    format: 1,
    version,
    ok: count('error') === 0,
    errors: count('error'),
    warnings: count('warning'),
    examinations: examinations.map(({ kind, title, server, findings: found }) => ({
      kind,
      title,
      ...(server === undefined ? {} : { origin: server.origin, target: server.target }),
      findings: found.map(({ range, ...finding }) => ({
        ...finding,
        ...(range === undefined
          ? {}
          : { place: { file: range.file, line: range.start.line, column: range.start.column } }),
      })),
    })),
  };
}
