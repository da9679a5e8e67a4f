/** A text in YAML's single quotes, in which nothing but the quote itself means anything. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
