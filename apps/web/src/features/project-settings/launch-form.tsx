import type { ProjectLaunchSettings } from '@svc/contracts/launch-settings'
import type { Project } from '@svc/contracts/project'
import { useRef, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { useRereadOnMismatch } from '../../parts/conflict/use-edited.ts'
import { useEditedParts } from '../../parts/conflict/use-edited-parts.ts'
import { toast } from '../../ui/toast-store.ts'
import { SettingsForm } from './form-parts.tsx'
import { LaunchFields } from './launch-fields.tsx'
import { changesOf } from './launch-request.ts'
import { type Setting, textsOf } from './launch-texts.ts'
import { PreviewPanel, type ShownAgent } from './preview-panel.tsx'
import styles from './settings.module.css'
import { problemsIn, usePreview } from './use-preview.ts'

export const launchDraft = (projectId: string) => `launch-settings:${projectId}`

interface LaunchFormProps {
  project: Project
  settings: ProjectLaunchSettings
  agent: ShownAgent
  showsValues: boolean
  isAsked: boolean
  onClose: () => void
}

const label = 'Launch settings'

/** Next to what a launch would be with what is written. What others change of the parts that are left alone stays so. */
export function LaunchForm(props: LaunchFormProps) {
  const { project, settings, agent, showsValues, isAsked, onClose } = props
  const { id } = project
  const { queries } = useWorkspace()
  const draft = launchDraft(id)
  const edited = useEditedParts(draft, currentOf(settings))
  const { changes, problems: own } = changesOf(edited.texts, edited.changed)
  const preview = usePreview({ id, agent: agent.key, ...changes })
  const [tries, setTries] = useState(0)
  const tried = () => setTries((before) => before + 1)
  const sent = useRef<ReadonlyMap<Setting, string>>(new Map())
  const save = useAction('updateLaunchSettings', {
    draft,
    onDone: (answer) => {
      queries.setQueryData(['getLaunchSettings', { id }], answer)
      const isAll = edited.changed.every((part) => edited.texts[part] === sent.current.get(part))
      edited.settle(sent.current, currentOf(answer.launchSettings))
      toast('Saved')
      if (isAll) onClose()
    },
  })
  const { state } = save
  const refused = state.name === 'refused' ? problemsIn(state.error) : undefined
  const ofService = problemsIn(preview.error)
  const isRefused = refused !== undefined && refused.size > 0
  const problems =
    tries > 0 || isRefused ? new Map([...(refused ?? []), ...ofService, ...own]) : new Map()
  const leave = () => {
    edited.leave()
    onClose()
  }
  const send = async () => {
    if (edited.changed.length === 0) return leave()
    if (own.size > 0) return tried()
    sent.current = new Map(edited.changed.map((part) => [part, edited.texts[part]]))
    await save.send({ id, ...changes, expectedRevision: settings.revision })
    tried()
  }
  useRereadOnMismatch(save, {
    revision: settings.revision,
    mayGoOut: () => edited.mayGoOut(sent.current),
    send: () => void send(),
  })
  const write: typeof edited.write = (part, text) => {
    // what was refused is another text now
    if (state.name === 'refused') save.dismiss()
    edited.write(part, text)
  }
  return (
    <>
      <SettingsForm
        label={label}
        action={save}
        isOpen={edited.theirs.size > 0}
        tries={tries}
        onSave={() => void send()}
        onDiscard={leave}
      >
        <p className={styles['quiet']}>
          What is set here is run on the machines of runners: each of them refuses it until it is
          trusted there, after each change anew.
        </p>
        <LaunchFields
          edited={{ ...edited, write }}
          problems={problems}
          known={agent.known}
          isAsked={isAsked}
        />
      </SettingsForm>
      <PreviewPanel
        project={project}
        preview={preview}
        agent={agent}
        showsValues={showsValues}
        isWritten={edited.changed.length > 0}
        isStuck
      />
    </>
  )
}

function currentOf(settings: ProjectLaunchSettings) {
  return { revision: settings.revision, texts: textsOf(settings) }
}
