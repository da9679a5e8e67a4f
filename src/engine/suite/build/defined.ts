/** Data from a file holds no undefined, which the inferred types of optional keys cannot know. */
export function defined<Map extends object | undefined>(
  map: Map,
): { [Key in keyof Map]: Exclude<Map[Key], undefined> } {
  return map as { [Key in keyof Map]: Exclude<Map[Key], undefined> };
}
