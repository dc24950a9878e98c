import { statfsSync } from 'node:fs'

/** One segment of its log. With less PostgreSQL cannot go on, and may not even have room to say so. */
const leastFreeBytes = 16 * 1024 * 1024

export function isDiskFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < leastFreeBytes
}
