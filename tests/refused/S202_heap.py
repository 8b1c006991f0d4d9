import heapq


def smallest(x, y):
    heap = []
    heapq.heappush(heap, x * y)
    heapq.heappush(heap, x + y)
    return heap[0]
