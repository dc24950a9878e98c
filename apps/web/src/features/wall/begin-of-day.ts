/** When the day of that moment began, where the screen is. */
export function beginOfDay(at: number): string {
  return new Date(new Date(at).setHours(0, 0, 0, 0)).toISOString()
}
