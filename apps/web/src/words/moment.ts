/** A moment as a clock of whoever looks shows it, with its zone: two who look from different places mean the same. */
export function moment(at: Date): string {
  return at.toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'long',
    hourCycle: 'h23',
  })
}
