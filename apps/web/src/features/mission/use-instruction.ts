import { RefusedError } from '@svc/client/errors'
import type { Objective } from '@svc/contracts/objective'
import { useEffect, useRef, useState } from 'react'
import { type Action, useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import {
  type Current,
  type Edited,
  isConflict,
  revisionToExpect,
} from '../../parts/conflict/edited.ts'
import { mostResends } from '../../parts/conflict/use-edited.ts'
import { useScene, withObjective } from './scene.ts'

type Saving = { name: 'saved'; at?: number } | { name: 'unsaved' } | { name: 'saving' }

export interface InstructionEdit {
  text: string
  write: (text: string) => void
  /** Whether all that is written is with the service now. */
  save: () => Promise<boolean>
  state: Saving
  /** What somebody else has written meanwhile. */
  theirs: Current | undefined
  keepMine: () => void
  takeTheirs: () => void
  update: Action<'updateObjective'>
}

export function instructionDraft(objectiveId: string): string {
  return `instruction:${objectiveId}`
}

/** An instruction that is being written: kept with each key, saved on request, and never over what others wrote unseen. */
export function useInstruction(objective: Objective): InstructionEdit {
  const { service, drafts, queries } = useWorkspace()
  const { keep } = useScene()
  const draft = instructionDraft(objective.id)
  const [edited, setEdited] = useState<Edited | undefined>(() => {
    const known = drafts.begin(draft)
    const base = known?.base ?? baseOf(objective)
    return known && known.text !== base.text ? { text: known.text, base } : undefined
  })
  const [savedAt, setSavedAt] = useState<number>()
  // what is typed while an earlier text is on its way is newer than the answer
  const latest = useRef(edited)
  const set = (next: Edited | undefined) => {
    latest.current = next
    setEdited(next)
    if (next === undefined) drafts.drop(draft)
    else drafts.write(draft, next.text, next.base)
  }
  const stands = baseOf(objective)
  const theirs = edited && isConflict(edited, stands) ? stands : undefined
  const update = useAction('updateObjective', {
    draft,
    onDone: ({ objective: saved }) => {
      keep(withObjective(saved))
      resends.current = 0
      // where only its beginning is listed, all of it is known already
      queries.setQueryData(['getObjective', { id: saved.id }], { objective: saved })
      setSavedAt(Date.now())
      const now = latest.current
      const isAll = now === undefined || now.text === saved.instruction
      set(isAll ? undefined : { text: now.text, base: baseOf(saved) })
    },
  })

  const sent = useRef<string>(undefined)
  const resends = useRef(0)
  const send = async (what: Edited): Promise<boolean> => {
    sent.current = what.text
    if (what.text === objective.instruction) set(undefined)
    else {
      const expectedRevision = revisionToExpect(what, baseOf(objective))
      await update.send({ id: objective.id, instruction: what.text, expectedRevision })
    }
    // what was saved is not edited any more
    return latest.current === undefined
  }

  // a refusal says that there is something newer: it is read, and shown next to what is written here
  const { state } = update
  const isRevised =
    state.name === 'refused' &&
    state.error instanceof RefusedError &&
    state.error.code === 'revision_mismatch'
  const refused = isRevised ? state.error : undefined
  const again = useRef(send)
  useEffect(() => {
    again.current = send
  })
  const { id } = objective
  useEffect(() => {
    if (refused === undefined) return
    void service.call('getObjective', { id }).then(
      ({ objective: current }) => {
        keep(withObjective(current))
        update.dismiss()
        const mine = latest.current
        const isAsSent = mine !== undefined && mine.text === sent.current
        if (isAsSent && !isConflict(mine, baseOf(current)) && resends.current < mostResends) {
          setResend(current.revision)
        }
      },
      () => undefined,
    )
    // once for each refusal
    // oxlint-disable-next-line react/exhaustive-deps
  }, [refused])
  // something else of the objective was changed: what is written here is sent on top of that
  const [resend, setResend] = useState<number>()
  useEffect(() => {
    if (resend === undefined || resend > objective.revision) return
    setResend(undefined)
    const mine = latest.current
    // what was written since waits for its own saving
    if (mine === undefined || mine.text !== sent.current) return
    resends.current += 1
    void again.current(mine)
  }, [resend, objective.revision])

  return {
    text: edited?.text ?? objective.instruction,
    write: (text) => {
      const base = edited?.base ?? baseOf(objective)
      // what is written back to what it was is no change of anybody's, unless another text is on its way
      const isChange = text !== base.text || state.name === 'sending'
      set(isChange ? { text, base } : undefined)
    },
    save: async () =>
      edited === undefined || theirs !== undefined ? theirs === undefined : send(edited),
    state:
      state.name === 'sending'
        ? { name: 'saving' }
        : edited === undefined
          ? { name: 'saved', ...(savedAt !== undefined && { at: savedAt }) }
          : { name: 'unsaved' },
    theirs,
    keepMine: () => {
      if (!edited) return
      const mine = { text: edited.text, base: baseOf(objective) }
      set(mine)
      void send(mine)
    },
    takeTheirs: () => set(undefined),
    update,
  }
}

function baseOf({ revision, instruction }: Objective): Edited['base'] {
  return { revision, text: instruction }
}
