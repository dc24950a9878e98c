// One installation at a time: whoever installs keeps a file named after its process in `.svc/bootstrap`.
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { say } from './failure.mjs'
import { state } from './places.mjs'

const claims = join(state, 'bootstrap')
const ownClaims = new Set()

/**
 * Announces itself, then looks for others: of two that start at once at least one sees the other and steps back.
 * The npm and pnpm that a killed start left running hold it too, so nothing writes at the same time.
 */
export async function installationTurn() {
  fs.mkdirSync(claims, { recursive: true })
  for (let waiting = false; ;) {
    claim(process.pid)
    const other = otherClaim()
    if (other === undefined) return
    releaseClaims()
    if (!waiting) say(`Another start is installing (process ${other}); waiting for it …`)
    waiting = true
    await sleep(100 + Math.random() * 400)
  }
}

export function claim(pid) {
  const name = identify(pid)
  if (name === undefined) return
  const file = join(claims, name)
  fs.writeFileSync(file, '')
  ownClaims.add(file)
}

export function releaseClaims() {
  for (const file of ownClaims) fs.rmSync(file, { force: true })
  ownClaims.clear()
}

function otherClaim() {
  for (const name of fs.readdirSync(claims)) {
    const file = join(claims, name)
    if (ownClaims.has(file)) continue
    const pid = Number.parseInt(name, 10)
    if (identify(pid) === name) return pid
    fs.rmSync(file, { force: true })
  }
  return undefined
}

/** pid and start time, so that a reused pid is not taken for the process that had it; undefined when it is gone. */
function identify(pid) {
  if (process.platform !== 'linux') {
    try {
      process.kill(pid, 0)
    } catch (error) {
      if (error.code === 'ESRCH') return undefined
    }
    return `${pid}-0`
  }
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return 'ZX'.includes(fields[0]) ? undefined : `${pid}-${fields[19]}`
  } catch {
    return undefined
  }
}
