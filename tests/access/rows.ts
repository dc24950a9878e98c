import { inputOf } from '@svc/domain/testing/least-input'
import type { Operation } from '@svc/domain/testing/operations'
import { type Ask, type Input, ask, askAtMcp } from './ask.ts'
import type { Caller } from './callers.ts'
import type { Row } from './matrix.ts'
import { preparations, variants } from './preparations.ts'
import type { Preparation, Prepared } from './prepare.ts'
import { type Scene, asOwner } from './scene.ts'

/** Each operation asked by every caller. */
export async function fillMatrix(
  url: string,
  callers: readonly Caller[],
  operations: readonly Operation[],
): Promise<Row[]> {
  const rows: Row[] = []
  for (const operation of operations) {
    const { name } = operation
    const send: Ask = (call) =>
      (operation.surface === 'tool' ? askAtMcp : ask)(url, operation, call)
    rows.push({ name, answers: await answersTo(callers, { operation, send }, preparations[name]) })
    for (const [variant, preparation] of Object.entries(variants[name] ?? {})) {
      const answers = await answersTo(callers, { operation, send }, preparation)
      rows.push({ name: `${name}, ${variant}`, answers })
    }
  }
  return rows
}

interface Asked {
  operation: Operation
  send: Ask
}

type Ready = Prepared & Required<Pick<Prepared, 'subject'>>

/** What is refused or only reads changes nothing, so that the next caller is asked the same. */
async function answersTo(
  callers: readonly Caller[],
  { operation, send }: Asked,
  preparation: Preparation | undefined,
): Promise<string[]> {
  const answers: string[] = []
  const prepared = new Map<Scene, Ready>()
  for (const { credentials, scene, bind } of callers) {
    const ready = prepared.get(scene) ?? (await prepare(scene, operation, preparation))
    const { input, subject, undo } = ready
    await bind?.(subject)
    const answer = await send({ credentials: await credentials(), input })
    const isUsedUp = answer === 'ok' && operation.endpoint.method !== 'GET'
    if (isUsedUp) {
      prepared.delete(scene)
      await undo?.()
    } else prepared.set(scene, ready)
    answers.push(answer)
  }
  return answers
}

export async function prepare(
  scene: Scene,
  operation: Operation,
  preparation: Preparation | undefined,
): Promise<Ready> {
  const { names, lease, project, objective } = scene
  const least: Input = inputOf(operation, names, lease)
  const subject = { projectId: project.id, objectiveId: objective.id }
  if (!preparation) return { input: least, subject }
  const prepared = await asOwner(scene, () => preparation(scene))
  return { subject, ...prepared, input: { ...least, ...prepared.input } }
}
