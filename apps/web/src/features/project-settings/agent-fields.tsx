import { useId } from 'react'
import { limits, rights, rightsInWords, standingRights } from '../../data/contracts.values.ts'
import { Area } from '../../ui/area.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { effortChoices } from '../../words/efforts.ts'
import type { LaunchFieldsProps } from './launch-fields-props.ts'
import { type Problems, problemAt } from './launch-request.ts'
import { type AgentRow, agentFields, agentsIn } from './launch-texts.ts'
import { type RowParts, RowList } from './row-list.tsx'
import { writeRows } from './rows.ts'
import { settingNames } from './setting-names.ts'

const blank: AgentRow = { agent: '', model: '', effort: '', rights: '', flags: '' }

/** What each agent is started with where an objective says nothing else, and what it may do. */
export function AgentFields({ edited, problems, known }: LaunchFieldsProps) {
  const agents = useId()
  return (
    <>
      <datalist id={agents}>
        {known.map(({ key }) => (
          <option key={key} value={key} />
        ))}
      </datalist>
      <RowList
        title={settingNames.agents}
        what="agent"
        hint={`Where an objective names no model and no effort, its agent has these. An agent that is not here has the rights ${standingRights}.`}
        problem={problems.get('agents')}
        rows={agentsIn(edited.texts.agents)}
        blank={blank}
        most={50}
        nameOf={({ agent }) => agent}
        onChange={(rows) => edited.write('agents', writeRows(agentFields, rows))}
      >
        {(row) => (
          <OneAgent
            {...row}
            agents={agents}
            problems={problems}
            known={known.find(({ key }) => key === row.row.agent.trim())}
          />
        )}
      </RowList>
    </>
  )
}

interface OneAgentProps extends RowParts<AgentRow> {
  /** The id of the list of those that are known. */
  agents: string
  problems: Problems
  known: LaunchFieldsProps['known'][number] | undefined
}

function OneAgent({ row, change, isNew, agents, problems, known }: OneAgentProps) {
  const models = useId()
  const efforts = useId()
  const path = `agents.${row.agent.trim()}`
  const given = rights.find((one) => one === row.rights) ?? standingRights
  return (
    <>
      <Field
        label="Agent"
        list={agents}
        autoComplete="off"
        spellCheck={false}
        autoFocus={isNew}
        value={row.agent}
        problem={problems.get(path)}
        onChange={(event) => change({ agent: event.target.value })}
      />
      <Field
        label="Model"
        list={models}
        autoComplete="off"
        spellCheck={false}
        placeholder="the agent's own"
        value={row.model}
        problem={problemAt(problems, `${path}.model`)}
        onChange={(event) => change({ model: event.target.value })}
      />
      <datalist id={models}>
        {known?.models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      <Field
        label="Effort"
        list={efforts}
        autoComplete="off"
        spellCheck={false}
        placeholder="the agent's own"
        value={row.effort}
        problem={problemAt(problems, `${path}.reasoningEffort`)}
        onChange={(event) => change({ effort: event.target.value })}
      />
      <datalist id={efforts}>
        {[...new Set([...(known?.efforts ?? []), ...effortChoices])].map((effort) => (
          <option key={effort} value={effort} />
        ))}
      </datalist>
      <Select
        label="Rights"
        value={row.rights}
        choices={[
          { value: '', text: `${standingRights}, as where nothing is set` },
          ...rights.map((one) => ({ value: one, text: one })),
        ]}
        hint={`It may ${rightsInWords[given]}. A runner may allow less.`}
        onChoose={(chosen) => change({ rights: chosen })}
      />
      <Area
        label="Flags"
        hint={`One a line, as they stand behind its command; ${limits.launchFlagBytes / 1024} KiB in all.`}
        rows={2}
        spellCheck={false}
        value={row.flags}
        problem={problemAt(problems, `${path}.flags`)}
        onChange={(event) => change({ flags: event.target.value })}
      />
    </>
  )
}
