const windowMs = 60_000
const allowed = 5

/** At most five restarts a minute: what dies at once, again and again, is a fault to show and not to repeat. */
export function createRestartBudget(now: () => number = () => performance.now()) {
  let recent: number[] = []
  return {
    /** Takes one restart, or says that there is none left. */
    take(): boolean {
      recent = recent.filter((at) => now() - at < windowMs)
      if (recent.length >= allowed) return false
      recent.push(now())
      return true
    },
  }
}
