import { statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { root } from './places.mjs'

/** A failure that one sentence explains. */
export class Failure extends Error {}

export const say = (text) => process.stderr.write(`${text}\n`)

/** What the end of an installer's output means. */
export function installFailure(what, output) {
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|error sending request/i.test(
      output,
    )
  ) {
    return new Failure(
      `${what} failed: the package registry cannot be reached. The first start needs the network; check the connection (or the registry and proxy settings of npm) and start again.`,
    )
  }
  if (/EINTEGRITY/.test(output)) {
    return new Failure(
      `${what} failed: what the package registry sent is not what this repository expects, by its hash. Nothing of it is kept; look whether a proxy or a registry of your own changes packages, and start again.`,
    )
  }
  if (/ENOSPC|no space left/i.test(output))
    return new Failure(`${what} failed: the disk is full. Free about 1 GB and start again.`)
  if (/EACCES|EPERM|EROFS|permission denied/i.test(output)) return notWritable(output)
  return new Failure(
    `${what} failed; the end of its output:\n${output.trim().split('\n').slice(-15).join('\n')}`,
  )
}

/** The sentence for an error of ours that has one; any other is given back as it is. */
export function asFailure(error) {
  const isRefused = ['EACCES', 'EPERM', 'EROFS'].includes(error.code) || error.syscall === 'mkdir'
  return isRefused ? notWritable(error.message) : error
}

function notWritable(detail) {
  const owner = statSync(root).uid
  const me = userInfo()
  const why =
    owner === me.uid
      ? 'something in it belongs to another user or is read-only'
      : `it belongs to user ${owner}`
  const path = /['"(](\/[^'")]+)['")]/.exec(detail)?.[1]
  return new Failure(
    `${root} cannot be written by ${me.username} (${why}${path ? `: ${path}` : ''}). Start as its owner, or make a clone of your own.`,
  )
}
