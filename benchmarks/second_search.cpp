// A second program for values that docs/results.md states: it shares no code and no method with graphgame search.
//
//   g++ -O2 -std=c++17 -o second_search second_search.cpp
//   ./second_search nogo 1 24           rows of impartial NoGo, of 1 to 24 squares
//   ./second_search nogo-2 1 8          boards of two rows, to 2 x 8; at most 2 x 21
//   ./second_search node-kayles 1 18    Node Kayles on grids of 3 x 1 to 3 x 18; at most 3 x 42
//   ./second_search petersen 5 25       Node Kayles on generalized Petersen graphs P(5, 2) to P(25, 2); at most P(63, 2)
//
// A position has the value n if it is lost beside a heap of n. What is known of a position is its value, or values that
// it does not have (J. Lemoine, S. Viennot, Nimbers are inevitable, 2012).

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using Word = unsigned long long;
using Position = unsigned __int128;  // one component
using Option = std::vector<Position>;

struct Known {  // 0: nothing; the highest bit: the value is what the others say; else those say values that it is not
    Word fact = 0;
    bool has_value() const { return fact >> 63; }
    int value() const { return int(fact & 255); }
};
const Word VALUE = 1ull << 63;

class Table {  // of positions that are not 0; open addresses, at most two thirds full
    struct Row {
        Word low, high;
        Known known;
    };
    std::vector<Row> rows = std::vector<Row>(1 << 16);

    Row& row(Position position) {
        Word low = Word(position), high = Word(position >> 64), mixed = (low ^ high * 0xC2B2AE3D27D4EB4Full);
        mixed = (mixed ^ mixed >> 29) * 0x9E3779B97F4A7C15ull;
        Word place = (mixed ^ mixed >> 32) & (rows.size() - 1);
        while ((rows[place].low || rows[place].high) && (rows[place].low != low || rows[place].high != high))
            place = (place + 1) & (rows.size() - 1);
        return rows[place];
    }

  public:
    size_t size = 0;

    Known get(Position position) { return row(position).known; }

    void put(Position position, Known known) {
        if (3 * size > 2 * rows.size()) {
            std::vector<Row> old(2 * rows.size());
            old.swap(rows);
            for (Row& each : old)
                if (each.low || each.high) row(Position(each.high) << 64 | each.low) = each;
        }
        Row& found = row(position);
        if (!found.low && !found.high) size++;
        found = {Word(position), Word(position >> 64), known};
    }
};

Table table;
int n;  // of the board or the graph that is played on
std::vector<Option> (*options)(Position);
int (*length)(Position);  // about how much a component has to play on

// NoGo in a row: two bits a square, 1 where it is free, else 2 or 3 for the colour of its stone.

bool has_liberties(const int* row, int length) {
    for (int start = 0, end; start < length; start = end) {
        for (end = start + 1; end < length && row[end] == row[start]; end++) {}
        bool before = start > 0 && row[start - 1] == 1, behind = end < length && row[end] == 1;
        if (row[start] != 1 && !before && !behind) return false;
    }
    return true;
}

Position least_row(const int* row, int length) {  // of the images of a row in which each block is one stone
    Position images[4] = {0, 0, 0, 0};
    for (int square = 0, place = 0; square < length; square++)
        if (square == 0 || row[square] == 1 || row[square] != row[square - 1]) {
            int other = row[square] == 1 ? 1 : 5 - row[square];
            images[0] |= Position(row[square]) << place, images[1] |= Position(other) << place;
            images[2] = images[2] << 2 | row[square], images[3] = images[3] << 2 | other;
            place += 2;
        }
    return *std::min_element(images, images + 4);
}

std::vector<Option> nogo_options(Position position) {
    std::vector<Option> found;
    int row[64], length = 0;
    for (; position; position >>= 2) row[length++] = position & 3;
    for (int square = 0; square < length; square++)
        for (int colour = 2; colour < 4 && (colour == 3 || row[square] == 1); colour++) {
            row[square] = colour;
            if (has_liberties(row, length)) {
                Option parts;
                for (int start = 0, end; start < length; start = end) {  // stones of two colours part a row
                    for (end = start + 1; end < length && (row[end - 1] == 1 || row[end] + row[end - 1] != 5); end++) {}
                    if (std::count(row + start, row + end, 1) > 1) parts.push_back(least_row(row + start, end - start));
                }
                found.push_back(parts);
            }
            if (colour == 3) row[square] = 1;
        }
    return found;
}

// NoGo on two rows: the free squares, from bit 42 on the stones of one colour, from bit 84 on those of the other; a column
// is two bits.

const Word EVEN = 0x5555555555555555ull, PLANE = (1ull << 42) - 1;

Word other_row(Word squares) { return (squares & EVEN) << 1 | (squares >> 1 & EVEN); }
Word with_neighbours(Word squares) { return squares | other_row(squares) | squares << 2 | squares >> 2; }
Word last_column_first(Word squares) {
    const Word PAIRS = 0x3333333333333333ull, FOURS = 0x0F0F0F0F0F0F0F0Full;
    squares = (squares & PAIRS) << 2 | (squares >> 2 & PAIRS);
    squares = (squares & FOURS) << 4 | (squares >> 4 & FOURS);
    return __builtin_bswap64(squares) >> 22;  // 21 columns
}

Position least_board(Word free, Word one, Word other) {
    Position least = ~Position(0);
    for (int image = 0; image < 4; image++) {
        int first = __builtin_ctzll(free | one | other) & ~1;
        Position left = free >> first;
        least = std::min({least, left | Position(one >> first) << 42 | Position(other >> first) << 84,
                          left | Position(other >> first) << 42 | Position(one >> first) << 84});
        free = other_row(free), one = other_row(one), other = other_row(other);
        if (image == 1)
            free = last_column_first(free), one = last_column_first(one), other = last_column_first(other);
    }
    return least;
}

bool has_liberty(Word block, Word stones, Word free) {  // the block that some stones are of
    for (Word before = 0; before != block;) before = block, block = with_neighbours(block) & stones;
    return with_neighbours(block) & free;
}

std::vector<Option> board_options(Position position) {
    std::vector<Option> found;
    Word whole = Word(position) & PLANE, stones[2] = {Word(position >> 42) & PLANE, Word(position >> 84)};
    for (Word all = whole; all; all &= all - 1)
        for (int colour = 0; colour < (stones[0] | stones[1] ? 2 : 1); colour++) {
            Word square = all & -all, free = whole & ~square, own = stones[colour] | square, foes = stones[!colour];
            bool allowed = has_liberty(square, own, free);
            for (Word near = with_neighbours(square) & foes; near; near &= near - 1)
                allowed = allowed && has_liberty(near & -near, foes, free);
            if (!allowed) continue;
            Option parts;
            for (Word left = free; left;) {
                Word part = left & -left;
                for (Word before = 0; before != part;) {
                    before = part;
                    part |= with_neighbours(part & free) & (free | own | foes);
                    part |= (with_neighbours(part & own) & (free | own)) | (with_neighbours(part & foes) & (free | foes));
                }
                left &= ~part;
                if (__builtin_popcountll(part & free) > 1)
                    parts.push_back(least_board(part & free, part & own, part & foes));
            }
            found.push_back(parts);
        }
    return found;
}

int free_squares(Position position) { return __builtin_popcountll(Word(position) & PLANE); }

// Node Kayles: vertices that are left, and what is near them.

Position (*spread)(Position);
Position (*least)(Position);

std::vector<Option> node_kayles_options(Position vertices) {
    std::vector<Option> found;
    for (Position all = vertices; all; all &= all - 1) {
        Position left = vertices & ~spread(all & -all);
        Option parts;
        while (left) {
            Position part = left & -left;
            for (Position before = 0; before != part;) before = part, part = spread(part) & left;
            left ^= part;
            parts.push_back(least(part));
        }
        found.push_back(parts);
    }
    return found;
}

// On a grid of three rows: three bits a column.

Position grid_spread(Position some) {
    static const Position bottom = [] {
        Position found = 0;
        for (int place = 2; place < 126; place += 3) found |= Position(1) << place;
        return found;
    }();
    return some | some << 3 | some >> 3 | (some & ~bottom) << 1 | (some & ~(bottom >> 2)) >> 1;
}

Position least_grid(Position columns) {
    while (!(columns & 7)) columns >>= 3;
    Position images[4] = {columns, 0, 0, 0};
    for (int place = 0; columns; columns >>= 3, place += 3) {
        int column = columns & 7, down = (column & 1) << 2 | (column & 2) | column >> 2;
        images[1] |= Position(down) << place;
        images[2] = images[2] << 3 | column, images[3] = images[3] << 3 | down;
    }
    return *std::min_element(images, images + 4);
}

// On P(n, 2): n bits for the outer circle, then n for the inner vertices, of which those two apart are linked.

Word turned(Word circle, int steps) { return (circle << steps | circle >> (n - steps)) & ((1ull << n) - 1); }

Position petersen_spread(Position some) {
    Word outer = Word(some) & ((1ull << n) - 1), inner = Word(some >> n);
    Word out = outer | inner | turned(outer, 1) | turned(outer, n - 1);
    return Position(inner | outer | turned(inner, 2) | turned(inner, n - 2)) << n | out;
}

Position least_petersen(Position some) {
    Word outer = Word(some) & ((1ull << n) - 1), inner = Word(some >> n), back[2] = {0, 0};
    for (int place = 0; place < n; place++)
        back[0] |= (outer >> place & 1) << (n - 1 - place), back[1] |= (inner >> place & 1) << (n - 1 - place);
    Position least = some;
    for (int steps = 0; steps < n; steps++)
        least = std::min({least, Position(turned(inner, steps)) << n | turned(outer, steps),
                          Position(turned(back[1], steps)) << n | turned(back[0], steps)});
    return least;
}

int vertices_left(Position some) { return __builtin_popcountll(Word(some)) + __builtin_popcountll(Word(some >> 64)); }

int width(Position position) {
    int bits = 0;
    for (; position; position >>= 1) bits++;
    return bits;
}

bool is_lost(Position position, int heap);

int value(Position position) {
    for (int heap = 0;; heap++)
        if (is_lost(position, heap)) return heap;
}

bool is_lost(Position position, int heap) {
    Known known = table.get(position);
    if (known.has_value()) return known.value() == heap;
    if (known.fact >> heap & 1) return false;
    std::vector<std::pair<int, Option>> open;
    bool lost = true;
    for (Option& parts : options(position)) {
        int sum = heap, size = 0, unknown = 0;
        for (Position part : parts) {
            Known of_part = table.get(part);
            if (of_part.has_value()) sum ^= of_part.value();
            else size += length(part) * length(part), unknown++;
        }
        if (!unknown && sum == 0) lost = false;
        if (unknown) open.push_back({size, parts});
    }
    std::stable_sort(open.begin(), open.end(), [](auto& a, auto& b) { return a.first < b.first; });
    for (size_t next = 0; lost && next < open.size(); next++) {
        Option& parts = open[next].second;
        std::sort(parts.begin(), parts.end(), [](Position a, Position b) { return length(a) < length(b); });
        int sum = heap;
        for (size_t part = 0; part + 1 < parts.size(); part++) sum ^= value(parts[part]);
        lost = !is_lost(parts.back(), sum);
    }
    for (int smaller = 0; lost && smaller < heap; smaller++) lost = !is_lost(position, smaller);
    known = table.get(position);
    if (!known.has_value()) table.put(position, {lost ? VALUE | Word(heap) : known.fact | 1ull << heap});
    return lost;
}

int main(int count, char** arguments) {
    std::string game = count == 4 ? arguments[1] : "";
    if (game == "nogo") options = nogo_options, length = width;
    else if (game == "nogo-2") options = board_options, length = free_squares;
    else if (game == "node-kayles") options = node_kayles_options, spread = grid_spread, least = least_grid, length = width;
    else if (game == "petersen")
        options = node_kayles_options, spread = petersen_spread, least = least_petersen, length = vertices_left;
    else return std::fprintf(stderr, "usage: second_search nogo|nogo-2|node-kayles|petersen FIRST LAST\n"), 2;
    auto begin = std::chrono::steady_clock::now();
    for (n = std::atoi(arguments[2]); n <= std::atoi(arguments[3]); n++) {
        Position empty = 0;
        for (int place = 0; place < n; place++) empty = game == "nogo" ? empty << 2 | 1 : empty << 3 | 7;
        if (game == "nogo-2") empty = (Position(1) << 2 * n) - 1;
        if (game == "petersen") table = Table(), empty = (Position(1) << 2 * n) - 1;
        int found = value(empty);
        std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        std::printf("%d: %d (%zu positions, %.1f s)\n", n, found, table.size, seconds.count());
        std::fflush(stdout);
    }
}
