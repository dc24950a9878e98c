import type { fromMarkdown } from 'mdast-util-from-markdown'
import { Fragment, type ReactNode } from 'react'
import { Outside } from './outside.tsx'

type Root = ReturnType<typeof fromMarkdown>
type Node = Root['children'][number]
type Of<Type extends Node['type']> = Extract<Node, { type: Type }>

/** Where each name of a link leads. */
type Targets = ReadonlyMap<string, string>

/** As elements of React, so whatever stands in it can become text alone: no HTML, no pictures, no field. */
export function drawMarkdown(root: Root): ReactNode {
  const targets = new Map<string, string>()
  collectTargets(root.children, targets)
  return drawAll(root.children, targets)
}

/** The first one counts, wherever it stands. */
function collectTargets(nodes: readonly Node[], targets: Map<string, string>): void {
  for (const node of nodes) {
    if (node.type === 'definition' && !targets.has(node.identifier)) {
      targets.set(node.identifier, node.url)
    }
    if ('children' in node) collectTargets(node.children, targets)
  }
}

function drawAll(nodes: readonly Node[], targets: Targets): ReactNode {
  return nodes.map((node, index) => <Fragment key={index}>{draw(node, targets)}</Fragment>)
}

function draw(node: Node, targets: Targets): ReactNode {
  const inside = () => ('children' in node ? drawAll(node.children, targets) : null)
  switch (node.type) {
    case 'text':
      return node.value
    case 'paragraph':
      return <p>{inside()}</p>
    case 'emphasis':
      return <em>{inside()}</em>
    case 'strong':
      return <strong>{inside()}</strong>
    case 'delete':
      return <del>{inside()}</del>
    case 'inlineCode':
      return <code>{node.value}</code>
    case 'code':
      return (
        <pre>
          <code>{node.value}</code>
        </pre>
      )
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'blockquote':
      return <blockquote>{inside()}</blockquote>
    case 'heading':
      return drawHeading(node.depth, inside())
    case 'link':
      return <Outside href={node.url}>{inside()}</Outside>
    case 'linkReference':
      return <Outside href={targets.get(node.identifier) ?? ''}>{inside()}</Outside>
    case 'list':
      return drawList(node, targets)
    case 'table':
      return drawTable(node, targets)
    case 'footnoteReference':
      return <sup>[{node.label ?? node.identifier}]</sup>
    case 'footnoteDefinition':
      return (
        <div>
          <sup>[{node.label ?? node.identifier}]</sup> {inside()}
        </div>
      )
    case 'html':
    case 'image':
    case 'imageReference':
    case 'definition':
    case 'yaml':
    // these stand in a list or a table, which draws them
    case 'listItem':
    case 'tableRow':
    case 'tableCell':
      return null
  }
}

/** The headings of the page are its own, and stand above these. */
function drawHeading(depth: number, children: ReactNode): ReactNode {
  if (depth <= 3) return <h3>{children}</h3>
  if (depth === 4) return <h4>{children}</h4>
  return depth === 5 ? <h5>{children}</h5> : <h6>{children}</h6>
}

function drawList(list: Of<'list'>, targets: Targets): ReactNode {
  const isLoose = list.spread === true || list.children.some(({ spread }) => spread === true)
  const items = list.children.map((item, index) => (
    <li key={index}>
      {typeof item.checked === 'boolean' && (item.checked ? '☑ ' : '☐ ')}
      {item.children.map((child, at) => (
        <Fragment key={at}>
          {child.type === 'paragraph' && !isLoose
            ? drawAll(child.children, targets)
            : draw(child, targets)}
        </Fragment>
      ))}
    </li>
  ))
  return list.ordered === true ? <ol start={list.start ?? 1}>{items}</ol> : <ul>{items}</ul>
}

function drawTable({ align, children }: Of<'table'>, targets: Targets): ReactNode {
  const [head, ...body] = children
  const rowOf = (row: Of<'tableRow'>, Cell: 'th' | 'td', key?: number) => (
    <tr key={key}>
      {row.children.map((cell, index) => (
        <Cell key={index} style={{ textAlign: align?.[index] ?? undefined }}>
          {drawAll(cell.children, targets)}
        </Cell>
      ))}
    </tr>
  )
  return (
    <table>
      {head && <thead>{rowOf(head, 'th')}</thead>}
      {body.length > 0 && <tbody>{body.map((row, index) => rowOf(row, 'td', index))}</tbody>}
    </table>
  )
}
