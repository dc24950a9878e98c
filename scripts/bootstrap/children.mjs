import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const children = new Set()
let areStopping = false

/** Starts a child that is stopped with us; `ended` always resolves. */
export function start(command, args, options) {
  const child = spawn(command, args, options)
  children.add(child)
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 127, signal: null, error }))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  }).finally(() => children.delete(child))
  return { child, ended }
}

export async function stopChildren(signal) {
  areStopping = true
  for (const child of children) child.kill(signal)
  for (let waited = 0; children.size > 0; waited += 50) {
    if (waited === 3000) for (const child of children) child.kill('SIGKILL')
    await sleep(50)
  }
}

/** Whether a child that ended may have done so because we end. */
export const childrenAreStopping = () => areStopping
