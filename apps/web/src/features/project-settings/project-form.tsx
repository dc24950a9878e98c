import type { Project } from '@svc/contracts/project'
import { useRef, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { limits } from '../../data/contracts.values.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { PartConflict } from '../../parts/conflict/part-conflict.tsx'
import { useRereadOnMismatch } from '../../parts/conflict/use-edited.ts'
import { useEditedParts } from '../../parts/conflict/use-edited-parts.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast-store.ts'
import { SettingsForm } from './form-parts.tsx'
import {
  type ProjectPart,
  describePart,
  partNames,
  projectChanges,
  projectTexts,
  worktreeWords,
} from './project-texts.ts'
import { problemsIn } from './use-preview.ts'

export const projectDraft = (projectId: string) => `project:${projectId}`

const label = 'The project'

interface ProjectFormProps {
  project: Project
  isAsked: boolean
  onClose: () => void
}

export function ProjectForm({ project, isAsked, onClose }: ProjectFormProps) {
  const { id, revision } = project
  const { queries } = useWorkspace()
  const draft = projectDraft(id)
  const edited = useEditedParts(draft, { revision, texts: projectTexts(project) })
  const { texts, changed } = edited
  const { changes, problems: own } = projectChanges(texts, changed)
  const [tries, setTries] = useState(0)
  const tried = () => setTries((before) => before + 1)
  const sent = useRef<ReadonlyMap<ProjectPart, string>>(new Map())
  const save = useAction('updateProject', {
    draft,
    onDone: (answer) => {
      for (const ref of [id, project.slug]) {
        queries.setQueryData(['getProject', { id: ref }], answer)
      }
      const isAll = changed.every((part) => texts[part] === sent.current.get(part))
      const saved = answer.project
      edited.settle(sent.current, { revision: saved.revision, texts: projectTexts(saved) })
      toast('Saved')
      if (isAll) onClose()
    },
  })
  const refused = save.state.name === 'refused' ? problemsIn(save.state.error) : []
  const problems = new Map([...refused, ...(tries > 0 ? own : [])])
  const write: typeof edited.write = (part, text) => {
    // what was refused is another text now
    if (save.state.name === 'refused') save.dismiss()
    edited.write(part, text)
  }
  const leave = () => {
    edited.leave()
    onClose()
  }
  const send = async () => {
    if (changed.length === 0) return leave()
    if (own.size > 0) return tried()
    sent.current = new Map(changed.map((part) => [part, texts[part]]))
    await save.send({ id, ...changes, expectedRevision: revision })
    tried()
  }
  useRereadOnMismatch(save, {
    revision,
    mayGoOut: () => edited.mayGoOut(sent.current),
    send: () => void send(),
  })
  const conflict = (part: ProjectPart) => (
    <PartConflict
      edited={edited}
      part={part}
      what={partNames[part]}
      describe={(text) => describePart(part, text)}
    />
  )
  return (
    <SettingsForm
      label={label}
      action={save}
      isOpen={edited.theirs.size > 0}
      tries={tries}
      onSave={() => void send()}
      onDiscard={leave}
    >
      <Field
        label={partNames.name}
        autoFocus={isAsked}
        maxLength={limits.titleCharacters}
        value={texts.name}
        problem={problems.get('name')}
        onChange={(event) => write('name', event.target.value)}
      />
      {conflict('name')}
      <Field
        label={partNames.defaultBranch}
        hint="Work starts from it, in each resource that names no other."
        autoComplete="off"
        spellCheck={false}
        value={texts.defaultBranch}
        problem={problems.get('defaultBranch')}
        onChange={(event) => write('defaultBranch', event.target.value)}
      />
      {conflict('defaultBranch')}
      <Select
        label={partNames.useWorktrees}
        value={texts.useWorktrees}
        choices={Object.entries(worktreeWords).map(([value, text]) => ({ value, text }))}
        hint="A mission may say otherwise."
        onChoose={(chosen) => write('useWorktrees', chosen)}
      />
      {conflict('useWorktrees')}
      <Field
        label={partNames.maxRuntimeMinutes}
        hint="Empty: as long as it takes."
        inputMode="numeric"
        autoComplete="off"
        value={texts.maxRuntimeMinutes}
        problem={problems.get('maxRuntimeMinutes')}
        onChange={(event) => write('maxRuntimeMinutes', event.target.value)}
      />
      {conflict('maxRuntimeMinutes')}
    </SettingsForm>
  )
}
