import { constants } from 'node:os'
import { stopChildren } from './children.mjs'
import { releaseClaims } from './claims.mjs'
import { removeUnfinishedPackages } from './npm-packages.mjs'

let handedOver
let stoppedAt

export function obeySignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
  watchParent()
}

/** From now on signals are the child's own affair, and the end is its end. */
export function handSignalsTo(child) {
  handedOver = child
}

export function finish(code) {
  try {
    removeUnfinishedPackages()
    releaseClaims()
  } catch {
    // The next start removes what is left.
  }
  process.exit(code)
}

/** One Ctrl-C arrives from the terminal and once more from npm: what comes within a second is one. */
function onSignal(signal) {
  if (stoppedAt !== undefined && Date.now() - stoppedAt < 1000) return
  stoppedAt = Date.now()
  if (handedOver) handedOver.kill(signal)
  else void stopChildren('SIGTERM').then(() => finish(128 + constants.signals[signal]))
}

/** npm killed with -9 forwards nothing: its death shows only in our parent's pid. */
function watchParent() {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onSignal('SIGTERM')
  }, 500)
  timer.unref()
}
