import { limits } from '../../data/contracts.values.ts'
import { Area } from '../../ui/area.tsx'
import { Field } from '../../ui/field.tsx'
import type { LaunchFieldsProps } from './launch-fields-props.ts'
import { problemAt } from './launch-request.ts'
import { checkFields, checksIn } from './launch-texts.ts'
import { RowList } from './row-list.tsx'
import { writeRows } from './rows.ts'
import { settingNames } from './setting-names.ts'

/** What has to pass in the checkout of a run before its delivery is taken. */
export function CheckFields({ edited: { texts, write }, problems }: LaunchFieldsProps) {
  return (
    <RowList
      title={settingNames.checks}
      what="check"
      hint="The runner runs them in the checkout before a delivery is taken, outside of any sandbox of the agent. What did not pass starts nothing that comes next."
      problem={problems.get('checks')}
      rows={checksIn(texts.checks)}
      blank={{ name: '', command: '', seconds: '' }}
      most={limits.checksPerProject}
      nameOf={({ name }) => name}
      onChange={(rows) => write('checks', writeRows(checkFields, rows))}
    >
      {({ row, change, isNew }) => {
        const path = `checks.${row.name.trim()}`
        return (
          <>
            <Field
              label="Name"
              autoComplete="off"
              spellCheck={false}
              autoFocus={isNew}
              value={row.name}
              problem={problems.get(path)}
              onChange={(event) => change({ name: event.target.value })}
            />
            <Area
              label="Command"
              rows={1}
              spellCheck={false}
              value={row.command}
              problem={problemAt(problems, `${path}.command`)}
              onChange={(event) => change({ command: event.target.value })}
            />
            <Field
              label="Seconds at most"
              inputMode="numeric"
              autoComplete="off"
              placeholder={String(limits.checkSeconds)}
              value={row.seconds}
              problem={problemAt(problems, `${path}.timeoutSeconds`)}
              onChange={(event) => change({ seconds: event.target.value })}
            />
          </>
        )
      }}
    </RowList>
  )
}
