import { limits } from '../../data/contracts.values.ts'
import { PartConflict } from '../../parts/conflict/part-conflict.tsx'
import { Area } from '../../ui/area.tsx'
import { Check } from '../../ui/check.tsx'
import { Field } from '../../ui/field.tsx'
import { AgentFields } from './agent-fields.tsx'
import { CheckFields } from './check-fields.tsx'
import type { LaunchFieldsProps } from './launch-fields-props.ts'
import { commandPath, problemAt } from './launch-request.ts'
import {
  type Setting,
  commandFields,
  commandsIn,
  describeSetting,
  variableFields,
  variablesIn,
} from './launch-texts.ts'
import { RowList } from './row-list.tsx'
import { writeRows } from './rows.ts'
import { settingNames } from './setting-names.ts'
import styles from './settings.module.css'

/** All that may be set of launches, each part with what somebody else has made of it meanwhile. */
export function LaunchFields(props: LaunchFieldsProps) {
  const { edited, problems, isAsked } = props
  const { texts, write } = edited
  const conflict = (setting: Setting) => (
    <PartConflict
      edited={edited}
      part={setting}
      what={settingNames[setting]}
      describe={(text) => describeSetting(setting, text)}
    />
  )
  return (
    <>
      <Field
        label={settingNames.preCommand}
        autoFocus={isAsked}
        hint="Its words stand before those of the agent, such as nvm exec."
        autoComplete="off"
        spellCheck={false}
        value={texts.preCommand}
        problem={problemAt(problems, 'preCommand')}
        onChange={(event) => write('preCommand', event.target.value)}
      />
      {conflict('preCommand')}
      <CommandFields {...props} />
      {conflict('preLaunchCommands')}
      <VariableFields {...props} />
      {conflict('launchEnvVars')}
      <AgentFields {...props} />
      {conflict('agents')}
      <Area
        label={settingNames.allowedCommands}
        hint="One a line, in plain words such as npm test. Agents with the rights work run them without being asked, with any arguments behind them."
        rows={4}
        spellCheck={false}
        value={texts.allowedCommands}
        problem={problemAt(problems, 'allowedCommands')}
        onChange={(event) => write('allowedCommands', event.target.value)}
      />
      {conflict('allowedCommands')}
      <CheckFields {...props} />
      {conflict('checks')}
      <fieldset className={styles['group']}>
        <legend>{settingNames.pushBranches}</legend>
        <Check
          checked={texts.pushBranches === 'on'}
          hint="With the credentials that the machine of the runner has for Git."
          onChange={(isOn) => write('pushBranches', isOn ? 'on' : '')}
        >
          Runners push them to origin
        </Check>
      </fieldset>
      {conflict('pushBranches')}
    </>
  )
}

function CommandFields({ edited: { texts, write }, problems }: LaunchFieldsProps) {
  const text = texts.preLaunchCommands
  return (
    <RowList
      title={settingNames.preLaunchCommands}
      what="command"
      hint="In turn to one shell in the checkout; the agent gets the variables that they leave. Placeholders such as {SVC_CONTEXT_FILE} are filled in there."
      problem={problems.get('preLaunchCommands')}
      rows={commandsIn(text)}
      blank={{ command: '' }}
      most={20}
      nameOf={() => ''}
      isOrdered
      onChange={(rows) => write('preLaunchCommands', writeRows(commandFields, rows))}
    >
      {({ row, index, change, isNew }) => (
        <Area
          label={`Command ${index + 1}`}
          rows={2}
          spellCheck={false}
          autoFocus={isNew}
          value={row.command}
          problem={problems.get(commandPath(text, index))}
          onChange={(event) => change({ command: event.target.value })}
        />
      )}
    </RowList>
  )
}

function VariableFields({ edited: { texts, write }, problems }: LaunchFieldsProps) {
  return (
    <RowList
      title={settingNames.launchEnvVars}
      what="variable"
      hint="Every runner of the project reads their values: leave out what only one person may know."
      problem={problems.get('launchEnvVars')}
      rows={variablesIn(texts.launchEnvVars)}
      blank={{ name: '', value: '' }}
      most={limits.launchVariables}
      nameOf={({ name }) => name}
      onChange={(rows) => write('launchEnvVars', writeRows(variableFields, rows))}
    >
      {({ row, change, isNew }) => (
        <>
          <Field
            label="Name"
            autoComplete="off"
            spellCheck={false}
            autoFocus={isNew}
            value={row.name}
            problem={problems.get(`launchEnvVars.${row.name.trim()}`)}
            onChange={(event) => change({ name: event.target.value })}
          />
          <Area
            label="Value"
            rows={1}
            spellCheck={false}
            value={row.value}
            onChange={(event) => change({ value: event.target.value })}
          />
        </>
      )}
    </RowList>
  )
}
