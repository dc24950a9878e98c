/** Some of the files by name, the others by number. */
export function named(files: readonly string[], most = 5): string {
  const more = files.length > most ? ` and ${files.length - most} more` : ''
  return `${files.slice(0, most).join(', ')}${more}`
}
