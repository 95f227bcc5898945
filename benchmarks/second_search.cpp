// A second program for values that docs/results.md states: it shares no code and no method with graphgame search.
//
//   g++ -O2 -std=c++17 -o second_search second_search.cpp
//   ./second_search nogo 1 24           rows of impartial NoGo, of 1 to 24 squares
//   ./second_search node-kayles 1 18    Node Kayles on grids of 3 x 1 to 3 x 18
//
// A position has the value n if it is lost beside a heap of n. What is known of a position is its value, or values that
// it does not have (J. Lemoine, S. Viennot, Nimbers are inevitable, 2012).

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

using Position = unsigned __int128;  // one component, square by square or column by column, 0 beyond its end
using Option = std::vector<Position>;

struct Known {
    int value = -1;
    unsigned long long not_these = 0;
};

struct Hash {
    size_t operator()(Position position) const {
        auto mixed = (unsigned long long)(position ^ position >> 61) * 0x9E3779B97F4A7C15ull;
        return mixed ^ mixed >> 32;
    }
};

std::unordered_map<Position, Known, Hash> table;
std::vector<Option> (*options)(Position);

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

// Node Kayles on a grid of three rows: three bits a column.

Position least_grid(Position columns) {
    Position images[4] = {columns, 0, 0, 0};
    for (int place = 0; columns; columns >>= 3, place += 3) {
        int column = columns & 7, down = (column & 1) << 2 | (column & 2) | column >> 2;
        images[1] |= Position(down) << place;
        images[2] = images[2] << 3 | column, images[3] = images[3] << 3 | down;
    }
    return *std::min_element(images, images + 4);
}

std::vector<Option> node_kayles_options(Position columns) {
    std::vector<Option> found;
    Position bottom = 0;
    for (int place = 2; place < 126; place += 3) bottom |= Position(1) << place;
    auto spread = [bottom](Position some) {
        return some | some << 3 | some >> 3 | (some & ~bottom) << 1 | (some & ~(bottom >> 2)) >> 1;
    };
    for (Position all = columns; all; all &= all - 1) {
        Position left = columns & ~spread(all & -all);
        Option parts;
        while (left) {
            Position part = left & -left, before = 0;
            while (part != before) before = part, part = spread(part) & left;
            left ^= part;
            while (!(part & 7)) part >>= 3;
            parts.push_back(least_grid(part));
        }
        found.push_back(parts);
    }
    return found;
}

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
    Known known = table[position];
    if (known.value >= 0) return known.value == heap;
    if (known.not_these >> heap & 1) return false;
    std::vector<std::pair<int, Option>> open;
    bool lost = true;
    for (Option& parts : options(position)) {
        int sum = heap, size = 0;
        Option unknown;
        for (Position& part : parts) {
            auto place = table.find(part);
            if (place != table.end() && place->second.value >= 0) sum ^= place->second.value;
            else size += width(part) * width(part), unknown.push_back(part);
        }
        if (unknown.empty() && sum == 0) lost = false;
        if (!unknown.empty()) open.push_back({size, parts});
    }
    std::stable_sort(open.begin(), open.end(), [](auto& a, auto& b) { return a.first < b.first; });
    for (size_t next = 0; lost && next < open.size(); next++) {
        Option& parts = open[next].second;
        std::sort(parts.begin(), parts.end(), [](Position a, Position b) { return width(a) < width(b); });
        int sum = heap;
        for (size_t part = 0; part + 1 < parts.size(); part++) sum ^= value(parts[part]);
        lost = !is_lost(parts.back(), sum);
    }
    for (int smaller = 0; lost && smaller < heap; smaller++) lost = !is_lost(position, smaller);
    if (lost) table[position].value = heap;
    else table[position].not_these |= 1ull << heap;
    return lost;
}

int main(int count, char** arguments) {
    if (count != 4) return std::fprintf(stderr, "usage: second_search nogo|node-kayles FIRST LAST\n"), 2;
    bool nogo = std::string(arguments[1]) == "nogo";
    options = nogo ? nogo_options : node_kayles_options;
    auto begin = std::chrono::steady_clock::now();
    for (int n = std::atoi(arguments[2]); n <= std::atoi(arguments[3]); n++) {
        Position empty = 0;
        for (int place = 0; place < n; place++) empty = nogo ? empty << 2 | 1 : empty << 3 | 7;
        int found = value(empty);
        std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        std::printf("%d: %d (%zu positions, %.1f s)\n", n, found, table.size(), seconds.count());
        std::fflush(stdout);
    }
}
