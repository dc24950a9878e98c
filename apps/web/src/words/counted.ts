/** A number with what it counts: 1 run, 2 runs. */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`
}
