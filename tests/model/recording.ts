import { isDeepStrictEqual } from 'node:util'
import { isServiceError } from '@svc/contracts/errors'
import { type Command, command, hold } from './command.ts'
import { filesFor } from './evidence.ts'
import { missions, ofDeleted } from './affected.ts'
import { missionOf } from './state.ts'
import { foreseeCall, keyOf, sessions } from './working.ts'

export const recordingCommands: Record<string, Command> = {
  addArtifact: command({
    weight: 2,
    targets: missions,
    foresee: (_, mission) => ofDeleted(mission),
    moves: {},
    affects: () => [],
    keyed: true,
    call: ({ stage }, { id }, _, options) =>
      stage.alice.call(
        'createArtifact',
        { id, type: 'next_steps', label: 'Next', contentText: 'Ship it.' },
        options,
      ),
    expect({ before, after }) {
      hold(after.artifacts.length === before.artifacts.length + 1, 'I-17', 'none was added')
      hold(after.artifacts.at(-1)?.revision === 1, 'I-17', 'its first revision is another one')
    },
  }),
  reviseArtifact: command({
    weight: 4,
    targets: ({ state }) => state.artifacts,
    foresee: ({ state }, artifact) => ofDeleted(missionOf(state, artifact)),
    moves: {},
    affects: () => [],
    keyed: true,
    async call({ stage }, { id: artifactId, mission: id, revision }, how, options) {
      const change = { id, artifactId, expectedRevision: revision, label: `Next ${how}` }
      const answer = await stage.alice.call('updateArtifact', change, options)
      // whoever has read what was there before comes too late
      const late = await stage.alice.call('updateArtifact', change).catch((error: unknown) => error)
      const isRefused = isServiceError(late) && late.code === 'revision_mismatch'
      hold(isRefused, 'I-17', 'a revision was written over by who had not read it')
      return answer
    },
    expect({ before, after }, { id }) {
      const expected = before.artifacts.map((one) => {
        return one.id === id ? { ...one, revision: one.revision + 1 } : one
      })
      hold(isDeepStrictEqual(after.artifacts, expected), 'I-17', 'it is at another revision')
    },
  }),
  reportFiles: command({
    weight: 7,
    targets: sessions,
    foresee: ({ state }, session) => foreseeCall(state, session),
    moves: { objective: ['revive'], request: ['revive'], session: ['hear', 'revive'] },
    affects: (_, { objective }) => [objective],
    async call(scene, session, how) {
      const { alice } = scene.stage
      const batch = {
        id: session.objective,
        sessionKey: keyOf(scene, session),
        batchId: crypto.randomUUID(),
        seq: scene.state.batches.length,
      }
      const items = filesFor(how)
      const answer = await alice.call('recordLedgerBatch', { ...batch, items })
      const again = await alice.call('recordLedgerBatch', { ...batch, items: [] })
      hold(isDeepStrictEqual(again, answer), 'I-24', 'a repeated batch has another answer')
      return answer
    },
    expect({ before, after }, { objective }) {
      const batches = after.batches.filter((one) => one.objective === objective && !one.drained)
      const known = new Set(before.batches.map(({ id }) => id))
      hold(batches.filter(({ id }) => !known.has(id)).length === 1, 'I-24', 'it is not kept once')
      const isKept = isDeepStrictEqual(after.files, before.files)
      hold(isKept, 'I-08', 'what was reported is there before the delivery')
    },
  }),
}
