import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import type { Attachment, MissionContext } from '@svc/contracts/context'
import { isServiceError } from '@svc/contracts/errors'
import { pathBelow } from '../files/path-below.ts'
import { LaunchRelease } from '../launch-failure.ts'
import type { Run } from '../run/run.ts'
import { untilReached } from '../run/until-reached.ts'

/** On Linux and macOS. */
const mostNameBytes = 255

interface Target {
  scratchFolder: string
  signal: AbortSignal
}

export function attachmentFolder(scratchFolder: string, { requestId, generation }: Run): string {
  return pathBelow(scratchFolder, `attachments-${requestId}-${generation}`)
}

/**
 * The objective's files, laid where its agent can read them; answers the path of each. One that was deleted meanwhile
 * has none.
 */
export async function fetchAttachments(
  run: Run,
  { attachments }: MissionContext,
  { scratchFolder, signal }: Target,
): Promise<Map<string, string>> {
  const paths = new Map<string, string>()
  if (attachments.length === 0) return paths
  const folder = attachmentFolder(scratchFolder, run)
  // what an attempt has left that was cut off in the middle
  rmSync(folder, { force: true, recursive: true })
  mkdirSync(folder, { mode: 0o700 })
  for (const attachment of attachments) {
    const bytes = await fetchBytes(run, attachment, signal)
    if (bytes === undefined) continue
    // whatever the service says: a file in this folder, and no other
    const path = pathBelow(folder, fileNameOf(attachment))
    writeFileSync(path, bytes, { mode: 0o600, flag: 'wx' })
    paths.set(attachment.id, path)
  }
  return paths
}

/** A name may have more bytes than a file system takes. What is cut keeps its end, which says what it is. */
function fileNameOf({ id, name }: Attachment): string {
  const whole = basename(name)
  if (Buffer.byteLength(whole) <= mostNameBytes) return whole
  const end = `-${id.slice(-8)}${extname(whole).slice(0, 20)}`
  const characters = Array.from(whole)
  while (Buffer.byteLength(characters.join('') + end) > mostNameBytes) characters.pop()
  return characters.join('') + end
}

async function fetchBytes(
  run: Run,
  { id, name, sha256 }: Attachment,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    const { bytes } = await untilReached(
      (options) => run.client.call('getAttachment', { id }, options),
      { signal, pace: run.pace },
    )
    if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes
    throw new LaunchRelease('network', `The attachment ${name} did not arrive as it was sent.`)
  } catch (error) {
    if (isServiceError(error) && error.code === 'not_found') return undefined
    throw error
  }
}
