/** A moment as a clock of whoever looks shows it, with its zone: two who look from different places mean the same. */
export function moment(at: Date): string {
  return at.toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'long',
    hourCycle: 'h23',
  })
}

/** A time of day, as 14:05. */
export function clock(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
}
