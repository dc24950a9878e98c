import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { checkWith } from '../e2e/support/check-with.ts'
import type { Service } from '../e2e/support/service.ts'
import { ofPerson, temporaryFolder } from '@svc/testing/temporary'
import { author } from './place.ts'
import { checks, instructions } from './scenario.ts'

const standIn = join(import.meta.dirname, 'stand-in.ts')

/** A machine on whose PATH a stand-in has the name of the agent. */
export async function openStandIn(
  service: Service,
  agent: string,
  more: Record<string, string> = {},
) {
  await using opened = new AsyncDisposableStack()
  const scene = opened.use(await service.scene({ repository: true, instructions }))
  const { path: folder } = opened.use(temporaryFolder(ofPerson))
  mkdirSync(join(folder, 'bin'))
  const program = join(folder, 'bin', agent)
  const script = `#!/bin/sh\nexec '${process.execPath}' '${standIn}' ${agent} "$@"\n`
  writeFileSync(program, script, { mode: 0o755 })
  const env = {
    PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
    ...author,
    ...more,
  }
  const machine = await scene.machine({ env, args: ['--agent', agent] })
  await checkWith({ scene, machine }, checks)
  const kept = opened.move()
  return { scene, machine, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
