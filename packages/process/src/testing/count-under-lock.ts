/** A process that counts under a lock until it is killed. A number that is noted twice was counted by two at once. */
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { freeProcessLock, takeProcessLock } from '../process-lock.ts'

const [lock = '', counter = '', notes = ''] = process.argv.slice(2)

for (;;) {
  if (!takeProcessLock(lock).taken) continue
  const next = `${Number(readFileSync(counter, 'utf8')) + 1}\n`
  writeFileSync(`${counter}.${process.pid}`, next)
  renameSync(`${counter}.${process.pid}`, counter)
  appendFileSync(notes, next)
  freeProcessLock(lock)
}
