/** A process that counts under a lock until it is killed. A number that is noted twice was counted by two at once. */
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isAlive, readProcess } from '@svc/process/process-identity'
import { freeLock, takeLock } from '../files/lock-file.ts'

const [lock = '', counter = '', notes = ''] = process.argv.slice(2)
const pid = process.pid
const startedAt = readProcess(pid)?.startedAt ?? ''
const isStale = (holder: object) => !isAlive({ pid: 0, startedAt: '', ...holder })

for (;;) {
  if (!takeLock(lock, { pid, startedAt }, isStale).taken) continue
  const next = `${Number(readFileSync(counter, 'utf8')) + 1}\n`
  writeFileSync(`${counter}.${pid}`, next)
  renameSync(`${counter}.${pid}`, counter)
  appendFileSync(notes, next)
  freeLock(lock, (holder) => holder['pid'] === pid)
}
