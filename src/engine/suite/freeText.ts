import { quoteFix } from './explain.ts';
import type { Report } from './report.ts';

/**
 * YAML takes `prompt: order #42` for "order" and a comment. True where the text was not cut so.
 */
export function checkUncut(text: string, pointer: string, report: Report): boolean {
  if (!report.nodes.hasTightComments) return true;
  const node = report.nodes.scalar(pointer);
  if (node?.type !== 'PLAIN' || !node.comment || !/^\S/.test(node.comment) || !node.range) return true;
  const [start, end] = node.range;
  const hash = report.nodes.source(end, end + 200).indexOf('#');
  const comment = node.comment.split('\n', 1)[0] ?? '';
  const lost = `#${comment}`;
  if (hash < 0) return true;
  const whole = `${text}${report.nodes.source(end, end + hash)}${lost}`.trimEnd();
  const message = `YAML takes ${JSON.stringify(lost)} for a comment; the text ends before it`;
  return report.add('SUITE004', pointer, message, { ...quoteFix(whole), part: [start, end + hash + lost.length] });
}
