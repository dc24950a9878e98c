import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'

type Edge = 'before' | 'after'

/** Lets the rows of these ids, which they have as `data-sorted`, be dragged by their grips. Answers what ends it. */
export type Sorting = (
  list: HTMLElement,
  ids: readonly string[],
  onDrop: (id: string, edge: Edge, target: string) => void,
) => () => void

export const makeSortable: Sorting = (list, ids, onDrop) =>
  combine(
    ...ids.flatMap((id) => {
      const element = list.querySelector<HTMLElement>(`[data-sorted="${id}"]`)
      const dragHandle = element?.querySelector<HTMLElement>('[data-grip]')
      if (!element || !dragHandle) return []
      return [
        draggable({
          element,
          dragHandle,
          getInitialData: () => ({ id }),
          onDragStart: () => (element.dataset['dragged'] = ''),
          onDrop: () => delete element.dataset['dragged'],
        }),
        dropTargetForElements({
          element,
          // rows of another list are put in order there
          canDrop: ({ source }) =>
            source.data['id'] !== id && ids.includes(String(source.data['id'])),
          onDrag: ({ location }) =>
            (element.dataset['edge'] = edgeAt(element, location.current.input.clientY)),
          onDragLeave: () => delete element.dataset['edge'],
          onDrop: ({ source, location }) => {
            delete element.dataset['edge']
            onDrop(String(source.data['id']), edgeAt(element, location.current.input.clientY), id)
          },
        }),
      ]
    }),
  )

function edgeAt(element: HTMLElement, y: number): Edge {
  const { top, height } = element.getBoundingClientRect()
  return y < top + height / 2 ? 'before' : 'after'
}
