import { AgentReport, reportItems } from '@svc/contracts/delivery'
import { limits } from '@svc/contracts/limits'
import { toStorable } from '@svc/contracts/storable-text'
import { type Warnings, cutWithWarning } from '../../common/warnings.ts'

/** Where a field stands in the report that an agent sent, and the warnings that collect what was wrong with it. */
interface FieldContext {
  where: string
  warnings: Warnings
}

type Given = Record<string, unknown>

const lists = Object.entries(reportItems)

/**
 * A report of whatever an agent sent. It ends the session, so nothing of it can be sent anew: what has another form is
 * kept as text where it can be, and each such field is a warning. Decision 38.
 */
export function readReport(given: unknown, warnings: Warnings): AgentReport {
  const sent = asObject(given ?? {})
  const names = lists.map(([name]) => name)
  if (!sent) {
    warnings.add(`report is read as its humanActions: give an object of ${names.join(', ')}`)
    return readReport({ humanActions: given }, warnings)
  }
  warnOfUnknown(sent, names, { where: 'report', warnings })
  const read = lists.map(([name, item]) => {
    const fields = Object.keys(item.shape)
    return [name, readList(sent[name], fields, { where: `report.${name}`, warnings })]
  })
  return AgentReport.parse(Object.fromEntries(read))
}

function readList(given: unknown, fields: readonly string[], at: FieldContext): Given[] {
  const { where, warnings } = at
  if (given === undefined || given === null) return []
  const list: unknown[] = Array.isArray(given) ? given : [given]
  if (list !== given) warnings.add(`${where} is read as its one item: give a list`)
  const more = list.length - limits.reportItems
  if (more > 0) warnings.add(`${where}: ${more} dropped, give at most ${limits.reportItems}`)
  return list
    .slice(0, limits.reportItems)
    .flatMap((item, index) => readItem(item, fields, { where: `${where}[${index}]`, warnings }))
}

/** One where it says something, whole as a text where it does not say it in the first of its fields. */
function readItem(given: unknown, fields: readonly string[], at: FieldContext): Given[] {
  const { where, warnings } = at
  const [said = ''] = fields
  const item = asObject(given)
  if (item && textOf(item[said]) !== '') {
    warnOfUnknown(item, fields, at)
    return [Object.fromEntries(fields.map((field) => [field, readField(item, field, at)]))]
  }
  const whole = item && Object.keys(item).length === 0 ? '' : textOf(given)
  const what = whole === '' ? 'dropped' : `is read as its ${said}`
  warnings.add(`${where} ${what}: give an object of ${fields.join(', ')}`)
  return whole === '' ? [] : [{ [said]: fit(whole, { ...at, where: `${where}.${said}` }) }]
}

function readField(item: Given, field: string, at: FieldContext): unknown {
  const { warnings } = at
  const where = `${at.where}.${field}`
  const value = item[field]
  if (value === undefined || value === null) return undefined
  if (field === 'blocking') {
    if (typeof value === 'boolean') return value
    warnings.add(`${where} dropped: give true or false`)
    return undefined
  }
  if (typeof value !== 'string') warnings.add(`${where} is written out: give a text`)
  return fit(textOf(value), { where, warnings }) || undefined
}

function warnOfUnknown(
  given: Given,
  known: readonly string[],
  { where, warnings }: FieldContext,
): void {
  const unknown = Object.keys(given).filter((key) => !known.includes(key))
  if (unknown.length === 0) return
  const named = unknown.slice(0, 10).map((key) => key.slice(0, 50))
  warnings.add(`${where}: ${named.join(', ')} dropped, known are ${known.join(', ')}`)
}

function fit(text: string, { where, warnings }: FieldContext): string {
  return toStorable(cutWithWarning(text, limits.reportTextCharacters, where, warnings))
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value.trim() : JSON.stringify(value)
}

function asObject(value: unknown): Given | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  // its keys are text, since it was JSON
  return isObject ? (value as Given) : undefined
}
