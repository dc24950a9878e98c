import type { Objective } from '@svc/contracts/objective'
import { useId } from 'react'
import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Select } from '../../ui/select.tsx'
import fields from '../../ui/field.module.css'
import { effortChoices } from '../../words/efforts.ts'
import styles from './objectives.module.css'
import { resources } from './reads.ts'
import { useScene, withObjective } from './scene.ts'

type Choices = Partial<
  Pick<Objective, 'assigned_agent' | 'model' | 'reasoning_effort' | 'resource_key'>
>

/** What it is to be launched with; what is left open, the project or the agent says. */
export function ObjectiveChoices({ objective }: { objective: Objective }) {
  const { shown, keep, foresee } = useScene()
  const draft = `model:${objective.id}`
  const onDone = (answer: { objective: Objective }) => keep(withObjective(answer.objective))
  const update = useAction('updateObjective', { onDone })
  // what is typed of a model is kept until it is taken, whatever else is chosen meanwhile
  const updateModel = useAction('updateObjective', { draft, onDone })
  const linked = useRead(resources, { id: shown.mission.projectId })
  const set = (changes: Choices) =>
    foresee(withObjective({ ...objective, ...changes }), () =>
      update.send({ id: objective.id, ...changes }),
    )
  const { assigned_agent: agent, reasoning_effort: effort, resource_key: resource } = objective
  const agents = shown.agents ?? []
  const keys = linked.data?.resources.map(({ resourceKey }) => resourceKey) ?? []
  return (
    <>
      <div className={styles['choices']}>
        <Select
          isSmall
          data-action="agent"
          label="Agent"
          value={agent ?? ''}
          choices={withOwn(agents, agent, 'chosen at launch')}
          onChoose={(value) => set({ assigned_agent: value || null })}
        />
        <Model
          key={objective.model}
          draft={draft}
          model={objective.model}
          // not foreseen: what is only on its way would be taken for what stands, and its draft dropped
          onModel={(model) => void updateModel.send({ id: objective.id, model })}
        />
        <Select
          isSmall
          label="Effort"
          value={effort ?? ''}
          choices={withOwn(effortChoices, effort, 'default')}
          onChoose={(value) => set({ reasoning_effort: value || null })}
        />
        {(keys.length > 1 || resource !== null) && (
          <Select
            isSmall
            data-action="resource"
            label="Resource"
            value={resource ?? ''}
            choices={withOwn(keys, resource, 'default')}
            onChoose={(value) => set({ resource_key: value || null })}
          />
        )}
      </div>
      <ActionProblem of={update} />
      <ActionProblem of={updateModel} />
    </>
  )
}

/** What is chosen is among the choices, whether it is known here or not. */
function withOwn(known: readonly string[], own: string | null, none: string) {
  const all = new Set([...known, ...(own === null ? [] : [own])])
  return [{ value: '', text: none }, ...[...all].map((value) => ({ value, text: value }))]
}

function Model({
  draft,
  model,
  onModel,
}: {
  draft: string
  model: string | null
  onModel: (model: string | null) => void
}) {
  const id = useId()
  const { drafts } = useWorkspace()
  const [text, setText] = useDraft(draft, model ?? '', { makesNew: false })
  const save = () => {
    if (text.trim() === (model ?? '')) drafts.drop(draft)
    else onModel(text.trim() || null)
  }
  return (
    <div className={fields['small']}>
      <label className={fields['label']} htmlFor={id}>
        Model
      </label>
      <input
        id={id}
        className={fields['input']}
        value={text}
        placeholder="default"
        onChange={(event) => setText(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => event.key === 'Enter' && save()}
      />
    </div>
  )
}
