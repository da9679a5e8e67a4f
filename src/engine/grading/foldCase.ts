/** One form for texts that differ in case alone, in every script: `STRASSE` and `Straße`, `ΣΑΣ` and `σας`. */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}
